import CoreData

/// Records of which the store may have all already. They are compared with the rows of the store, several at a time, and of those that
/// change nothing no objects are made.
final class UnchangedRecords {
    /// A record with the row that it may change.
    struct Candidate {
        let record: ImportRecord
        let file: Int
        let entity: ImportEntity
        let found: MatchIndex.Found
        fileprivate let place: ImportLedger.Place
        fileprivate let form: ImportRowForm
    }

    /// After how many records, or bytes of the files, they are compared.
    private static let mostRecords = 500
    private static let mostBytes = 4 << 20

    private let progress: ImportProgress
    private var candidates: [Candidate] = []
    private var places: Set<ImportLedger.Place> = []
    private var bytes = 0

    init(_ progress: ImportProgress) { self.progress = progress }

    var isEmpty: Bool { candidates.isEmpty }
    var isFull: Bool { candidates.count >= Self.mostRecords || bytes >= Self.mostBytes }

    /// Keeps a record until it is compared; false for one that cannot be, or whose object was found by an earlier one.
    ///
    /// - Parameter isClean: Whether the context has no changes.
    /// - Throws: where the ledger cannot be written.
    func take(
        _ record: ImportRecord, file: Int, entity: ImportEntity, _ found: MatchIndex.Found, isClean: Bool
    ) throws -> Bool {
        guard case .place(let place)? = found.match, let form = entity.rows, form.layout.number == place.entity,
            !form.demandsLinks, !places.contains(place), isClean || !isChanged(place)
        else { return false }
        if let label = record.label, try !progress.ledger.name(label, place) { return false }
        places.insert(place)
        bytes += record.size
        candidates.append(
            Candidate(record: record, file: file, entity: entity, found: found, place: place, form: form))
        return true
    }

    private func isChanged(_ place: ImportLedger.Place) -> Bool {
        progress.store.context.registeredObject(for: progress.identifier(of: place))?.hasChanges ?? false
    }

    // MARK: Comparing

    /// Counts the records that change nothing.
    ///
    /// - Returns: The others, in their order.
    func compared() throws -> [Candidate] {
        guard !candidates.isEmpty else { return [] }
        let all = candidates
        (candidates, places, bytes) = ([], [], 0)
        let rows = try storedRows(all)
        let made = NewRows(in: progress.store.store)
        var changed: [Candidate] = []
        var slabs: [Int: RowSlab] = [:]
        for candidate in all {
            let slab = slabs[candidate.place.entity] ?? scratch(candidate.form)
            slabs[candidate.place.entity] = slab.count + 1 < Self.scratchSize ? slab : nil
            if let row = rows[candidate.place], try isSame(candidate, row, made, slab) {
                progress.counts[candidate.entity.name, default: .init()].unchanged += 1
            } else {
                if let label = candidate.record.label { try progress.ledger.forget(label) }
                changed.append(candidate)
            }
        }
        return changed
    }

    private static let scratchSize = 32

    private func scratch(_ form: ImportRowForm) -> RowSlab {
        RowSlab(binding: progress.store.store.binding(for: form.layout), capacity: Self.scratchSize)
    }

    private func storedRows(_ candidates: [Candidate]) throws -> [ImportLedger.Place: (slab: RowSlab, index: Int)] {
        let store = progress.store
        guard let objects = store.store.objects else { return [:] }
        var found: [ImportLedger.Place: (slab: RowSlab, index: Int)] = [:]
        for (entity, group) in Dictionary(grouping: candidates, by: \.place.entity) {
            let binding = store.store.binding(for: progress.model.entities[entity])
            let runs = try store.namingFile { try objects.rows(of: binding, keys: group.map(\.place.key)) }
            for run in runs {
                for index in run.range {
                    found[ImportLedger.Place(entity: entity, key: run.slab.key(index))] = (run.slab, index)
                }
            }
        }
        return found
    }

    /// Whether a record has no value that a row does not have; false where only an object can say it.
    private func isSame(
        _ candidate: Candidate, _ stored: (slab: RowSlab, index: Int), _ made: NewRows, _ slab: RowSlab
    ) throws -> Bool {
        let (record, form) = (candidate.record, candidate.form)
        guard !form.demandedSlots.contains(where: { stored.slab.tag(stored.index, $0) == RowTag.null }) else {
            return false
        }
        if record.mapped?.existing == .keep { return true }
        // A large value would be written to a file of its own first.
        guard form.external.isEmpty || !record.members.contains(where: { form.external.contains($0.key) }) else {
            return false
        }
        var row = RowFilling(in: slab)
        _ = slab.appendRow(key: candidate.place.key, version: 1)
        guard try row.setValues(of: record, form: form, rows: made, progress: progress), !row.namesLinks,
            row.targets.isEmpty
        else { return false }
        made.keepDecimals(slab, row.index)
        return (0..<form.layout.slots.count).allSatisfy { slot in
            !row.written.contains(slot) || slab.hasSameValue(row.index, as: stored.slab, stored.index, slot: slot)
                || isSameNumber(slab, row.index, stored, slot: slot)
        }
    }

    /// A whole number that is stored in a column of reals or decimals may be read as an integer.
    private func isSameNumber(
        _ slab: RowSlab, _ index: Int, _ stored: (slab: RowSlab, index: Int), slot: Int
    ) -> Bool {
        slab.tag(index, slot) == RowTag.real && stored.slab.tag(stored.index, slot) == RowTag.integer
            && Int64(exactly: slab.real(index, slot)) == stored.slab.integer(stored.index, slot)
    }
}
