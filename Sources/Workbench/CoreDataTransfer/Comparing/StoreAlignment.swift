import CoreData

/// Makes one store have the objects of another, or those of them that are chosen: what only A has is inserted, what differs is
/// changed, what only B has is deleted, by the rules of the model and all together.
///
/// The stores are compared first; what differs is then imported from A, with the addresses of A's objects standing for their
/// counterparts in B. Writers are not blocked while the stores are compared, which can take long; when B is locked at last, what
/// others have written since is a reason to refuse.
package struct StoreAlignment {
    private static let portion = 250

    private let left: OpenStore
    private let right: OpenStore
    private let comparison: StoreComparison
    private let mode: EditMode

    /// - Parameter right: opened for importing.
    package init(_ left: OpenStore, right: OpenStore, comparison: StoreComparison, mode: EditMode) throws {
        guard left.facts.url.standardizedFileURL != right.facts.url.standardizedFileURL else {
            throw InspectionError(
                .badValue, subject: right.facts.url.place, cause: "a store cannot be made like itself")
        }
        (self.left, self.right, self.comparison, self.mode) = (left, right, comparison, mode)
    }

    /// Compares the stores and makes B as A; gives what was found, what was changed, and how many objects were deleted.
    ///
    /// Removes only differences for which `chosen` is true; it is called once for each. `compared` receives the outcome before B is
    /// written; an error that it throws ends the work.
    /// - Throws: `InspectionError` where the model forbids it, or one of the stores was changed since they were compared; B is
    ///   then as it was.
    package func run(
        report: (StoreDifference) throws -> Void, chosen: (StoreDifference) throws -> Bool = { _ in true },
        compared reportSummary: (ComparisonSummary) throws -> Void = { _ in }, progress: (Int) -> Void = { _ in },
        refused: (RefusedRecord) throws -> Void
    ) throws -> (summary: ComparisonSummary, report: ImportReport, deleted: Int) {
        let index = try ComparisonIndex()
        _ = try Self.isWritten(right)
        // One that is only read may find a new log with each transaction, so its files are looked at instead.
        let state = StoreFileState(left.facts.url)
        var compared: [String: ComparedEntity] = [:]
        let summary = try comparison.run(
            index, chosen: chosen, report: report, progress: progress, compared: &compared)
        try reportSummary(summary)
        guard !summary.isEqual else { return (summary, ImportReport(), 0) }
        let model = ModelLayout.of(left.coordinator.managedObjectModel)
        // Objects are refused by their entity and key, as if each entity had a file and each key a line.
        var request = StoreImport.Request(files: model.entities.map { $0.entity.name ?? "" })
        request.mode = mode
        var deleted = 0
        var known: [String: EntityLayout] = [:]
        func counterpart(_ label: String) throws -> ImportLedger.Place? {
            let address = try ObjectAddress(label)
            guard let layout = known[address.entity] ?? model.layout(named: address.entity) else { return nil }
            known[address.entity] = layout
            return try index.counterpart(root: layout.root, key: address.key)
                .map { ImportLedger.Place(entity: $0.entity, key: $0.key) }
        }
        let work = StoreImport.Work(
            records: { take in
                // From here on no other connection writes to B.
                guard try !Self.isWritten(right) else { throw Self.changed(right) }
                try records(index, compared: compared, state: state, take: take)
            }, counterpart: counterpart,
            finish: { deleted = try delete(index, saving: $0) })
        let done = try StoreImport(request, work).run(in: right, refused: refused)
        return (summary, done, deleted)
    }

    /// Whether another connection has written to a store since this was last asked.
    private static func isWritten(_ store: OpenStore) throws -> Bool {
        try store.store.serialized {
            try store.namingFile { try store.store.objects?.changeWatching?.takeForeignCommit() ?? false }
        }
    }

    private static func changed(_ store: OpenStore) -> InspectionError {
        InspectionError(
            .readOnly, subject: store.facts.url.place,
            cause: "another user or program has changed it since it was compared, so nothing is done",
            hint: "try again")
    }

    /// Hands out the objects of A that B does not have so.
    private func records(
        _ index: ComparisonIndex, compared: [String: ComparedEntity], state: StoreFileState,
        take: (ImportRecord, Int) throws -> Void
    ) throws {
        let links = LinkChoice(entities: Set(left.entities))
        let names = compared.mapValues { entity in
            Set((entity.attributes + entity.relationships).map(\.name))
                .union(entity.left.relationshipsByName.keys.filter { entity.right.relationshipsByName[$0] != nil })
        }
        try left.readingOneState { objects in
            // This first read fixes the state that is read from now on; it must be the one that was compared.
            _ = try objects.changeWatching?.takeForeignCommit()
            guard StoreFileState(left.facts.url) == state else { throw Self.changed(left) }
            let model = ModelLayout.of(left.coordinator.managedObjectModel)
            guard
                var list = RowList(
                    left, nil, as: .jsonLines,
                    where: { property in
                        guard names[property.entity.name ?? ""]?.contains(property.name) == true else { return false }
                        guard let relationship = property as? NSRelationshipDescription else {
                            return !property.isTransient && !(property is NSDerivedAttributeDescription)
                        }
                        return links.writes(relationship)
                    }, failures: { _, _ in })
            else { return }
            try index.forEachTodo(.left, size: Self.portion) { entity, keys in
                let binding = left.store.binding(for: model.entities[entity])
                var text: [UInt8] = []
                let stream = PortionStream(try left.namingFile { try objects.rows(of: binding, keys: keys) })
                try list.append(stream) { text.append(contentsOf: $0) }
                try list.finish { text.append(contentsOf: $0) }
                for value in text.isEmpty ? [] : try JSONReader.values(in: text, of: left.facts.url.place) {
                    try ReadCancellation.check()
                    let record = try ImportRecord(value, line: 0, of: left.facts.url.place)
                    let key = try record.label.map { try ObjectAddress($0).key }
                    try take(record.at(line: Int(truncatingIfNeeded: key ?? 0)), entity)
                }
            }
        }
    }

    /// Deletes the objects that only B has, by the delete rules; gives how many went.
    private func delete(_ index: ComparisonIndex, saving savesPortions: Bool) throws -> Int {
        var count = 0
        let model = ModelLayout.of(right.coordinator.managedObjectModel)
        try index.forEachTodo(.right, size: Self.portion) { entity, keys in
            let binding = right.store.binding(for: model.entities[entity])
            for key in keys {
                // A delete rule may have taken it along.
                guard
                    let object = try? right.context.existingObject(with: NSManagedObjectID(binding: binding, key: key))
                else { continue }
                right.context.delete(object)
                count += 1
            }
            guard savesPortions else { return }
            do {
                try right.context.save()
            } catch {
                throw SaveFailure(error, showsValues: false, naming: { $0.objectID.shortText }).inspectionError(
                    right.facts.url)
            }
            right.context.reset()
        }
        return count
    }
}

/// Rows that have been read, as a stream.
private final class PortionStream: RowStream {
    private var runs: ArraySlice<RowRun>

    init(_ runs: [RowRun]) { self.runs = runs[...] }

    func next(_ count: Int) throws -> [RowRun] { runs.popFirst().map { [$0] } ?? [] }

    func interrupt() {}
}
