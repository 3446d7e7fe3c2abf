import CoreData

/// Changes the store B to match the store A, completely or for chosen differences: inserts objects that only A has,
/// updates objects that differ, and deletes objects that only B has. The model's validation and delete rules apply.
///
/// The stores are compared first. Then the differing objects are imported from A; addresses of A's objects refer to
/// their counterparts in B. The comparison, which can take long, does not block writers. If another connection has
/// written to A or B when the import locks B, the alignment fails.
package struct StoreAlignment {
    private static let portion = 250

    private let left: OpenStore
    private let right: OpenStore
    private let comparison: StoreComparison
    private let mode: EditMode

    /// - Parameter right: the store to change, opened for importing.
    package init(_ left: OpenStore, right: OpenStore, comparison: StoreComparison, mode: EditMode) throws {
        guard left.facts.url.standardizedFileURL != right.facts.url.standardizedFileURL else {
            throw InspectionError(
                .badValue, subject: right.facts.url.place, cause: "a store cannot be made like itself")
        }
        (self.left, self.right, self.comparison, self.mode) = (left, right, comparison, mode)
    }

    /// Compares the stores and changes B to match A. Returns the result of the comparison, the report of the import and
    /// the number of deleted objects.
    ///
    /// Removes only differences for which `chosen` returns true; it is called once for each. `compared` receives the
    /// result of the comparison before B is written; if it throws, B is not written.
    /// - Throws: `InspectionError` if the model forbids a change, or another connection has changed one of the stores
    ///   since the comparison; B is then unchanged.
    package func run(
        report: (StoreDifference) throws -> Void, chosen: (StoreDifference) throws -> Bool = { _ in true },
        compared reportSummary: (ComparisonSummary) throws -> Void = { _ in }, progress: (Int) -> Void = { _ in },
        refused: (RefusedRecord) throws -> Void
    ) throws -> (summary: ComparisonSummary, report: ImportReport, deleted: Int) {
        let index = try ComparisonIndex()
        _ = try Self.isWritten(right)
        // For A, which is only read, changes are detected by the state of its files.
        let state = StoreFileState(left.facts.url)
        var compared: [String: ComparedEntity] = [:]
        let summary = try comparison.run(
            index, chosen: chosen, report: report, progress: progress, compared: &compared)
        try reportSummary(summary)
        guard !summary.isEqual else { return (summary, ImportReport(), 0) }
        let model = ModelLayout.of(left.coordinator.managedObjectModel)
        // Refused records name a file and a line: here these are the entity and the primary key of the object.
        var request = ImportRequest(files: model.entities.map { $0.entity.name ?? "" })
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

    /// Whether another connection has written to a store since the previous call.
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

    /// Passes to `take` the chosen objects of A that B lacks or has with other values.
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
                    var record = try ImportRecord(value, line: 0, of: left.facts.url.place)
                    record.line = try record.label.map { Int(truncatingIfNeeded: try ObjectAddress($0).key) } ?? 0
                    try take(record, entity)
                }
            }
        }
    }

    /// Deletes the chosen objects that only B has, with their delete rules; returns how many, without those that delete
    /// rules have deleted already.
    private func delete(_ index: ComparisonIndex, saving savesPortions: Bool) throws -> Int {
        var count = 0
        let model = ModelLayout.of(right.coordinator.managedObjectModel)
        try index.forEachTodo(.right, size: Self.portion) { entity, keys in
            let binding = right.store.binding(for: model.entities[entity])
            for key in keys {
                // A delete rule of another object may have deleted the object already.
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
                throw SaveFailure(error, showsValues: false, naming: { $0.objectID.shortText }).error(
                    at: right.facts.url)
            }
            right.context.reset()
        }
        return count
    }
}

/// A stream of rows that are in memory already.
private final class PortionStream: RowStream {
    private var runs: ArraySlice<RowRun>

    init(_ runs: [RowRun]) { self.runs = runs[...] }

    func next(_ count: Int) throws -> [RowRun] { runs.popFirst().map { [$0] } ?? [] }

    func interrupt() {}
}
