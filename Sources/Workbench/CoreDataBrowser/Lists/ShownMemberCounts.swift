import CoreData

/// The numbers of members in to-many relationships of some objects, which the store counts without reading the members.
struct ShownMemberCounts {
    private var counts: [String: [NSManagedObjectID: Int]] = [:]

    init(
        _ relationships: [NSRelationshipDescription], of ids: [NSManagedObjectID], _ entity: NSEntityDescription,
        with reading: StoreReading
    ) throws {
        guard !ids.isEmpty else { return }
        for relationship in relationships {
            let count = NSExpressionDescription()
            count.name = "number of members"
            count.expression = NSExpression(
                forFunction: "count:", arguments: [NSExpression(forKeyPath: relationship.name)])
            count.expressionResultType = .integer64AttributeType
            let owner = NSExpressionDescription()
            owner.name = "the owner"
            owner.expression = NSExpression.expressionForEvaluatedObject()
            owner.expressionResultType = .objectIDAttributeType
            let request = NSFetchRequest<NSDictionary>(entityName: entity.name ?? "")
            request.affectedStores = [reading.opened.store]
            request.resultType = .dictionaryResultType
            request.predicate = NSPredicate(format: "SELF IN %@", ids)
            request.propertiesToFetch = [owner, count]
            let lines = try reading.context.fetch(request)
            let pairs = lines.compactMap { line in
                (line[owner.name] as? NSManagedObjectID).map { ($0, (line[count.name] as? NSNumber)?.intValue ?? 0) }
            }
            counts[relationship.name] = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
        }
    }

    func count(_ relationship: String, of id: NSManagedObjectID) -> Int? { counts[relationship]?[id] }
}
