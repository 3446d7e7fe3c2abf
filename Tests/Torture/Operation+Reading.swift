import CoreData

/// Operations that change nothing.
extension Operation {
    /// Opens a store and reads all of it.
    @Sendable static func read(_ folder: URL) throws -> String {
        try Library.with(folder) { try $0.lines().joined(separator: "\n") }
    }

    /// Fetches in several ways: over relationships, counted, as dictionaries, in batches, prefetching.
    @Sendable static func fetch(_ folder: URL) throws -> String {
        try Library.with(folder) { scene in
            let context = scene.context
            var lines: [String] = []
            let tagged = NSFetchRequest<NSManagedObject>(entityName: "Document")
            tagged.predicate = NSPredicate(format: "ANY tags.name == 'tag 1' AND folder.name CONTAINS[cd] 'FOLDER'")
            tagged.sortDescriptors = [NSSortDescriptor(key: "folder.name", ascending: false)]
            tagged.sortDescriptors?.append(NSSortDescriptor(key: "size", ascending: true))
            tagged.relationshipKeyPathsForPrefetching = ["tags", "folder"]
            lines += try context.fetch(tagged).map { "\($0.value(forKey: "name") ?? "")" }
            lines.append("\(try context.count(for: tagged))")
            let sums = NSFetchRequest<NSDictionary>(entityName: "Document")
            sums.resultType = .dictionaryResultType
            let total = NSExpressionDescription()
            total.name = "total"
            total.expression = NSExpression(format: "sum:(size)")
            total.expressionResultType = .integer64AttributeType
            sums.propertiesToFetch = ["folder.name", total]
            sums.propertiesToGroupBy = ["folder.name"]
            sums.sortDescriptors = [NSSortDescriptor(key: "folder.name", ascending: true)]
            lines += try context.fetch(sums).map { "\($0["folder.name"] ?? "") \($0["total"] ?? "")" }
            let batches = NSFetchRequest<NSManagedObject>(entityName: "Document")
            batches.fetchBatchSize = 5
            batches.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            lines += try context.fetch(batches).map { "\($0.value(forKey: "size") ?? "")" }
            return lines.joined(separator: "\n")
        }
    }
}
