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
        let index = slab.count
        _ = slab.appendRow(key: candidate.place.key, version: 1)
        var (seen, written) = (SlotSet(), [Int]())
        for (position, member) in record.members.enumerated() {
            guard let (number, field) = form.field(named: member.key, at: position) else {
                if record.isTable, case .null = member.value { continue }
                return false
            }
            guard !seen.contains(number) else { return false }
            seen.insert(number)
            switch field {
            case .attribute(let attribute, let kind, let slot):
                guard !attribute.allowsExternalBinaryDataStorage,
                    let held = try? member.value.held(for: attribute, kind),
                    (try? made.set(held, slot: slot, attribute: attribute, kind: kind, in: slab, index)) == true
                else { return false }
                written.append(slot)
            case .toOne(let relationship, let slot, let entities):
                guard let labels = try? member.labels(for: relationship) else { return false }
                let target = try labels.first.map { try progress.knownPlace(named: $0) }
                guard leads(stored, slot, to: target, of: entities) else { return false }
            case .link: return false
            case .made: guard record.isExported else { return false }
            }
        }
        made.keepDecimals(slab, index)
        return written.allSatisfy {
            slab.hasSameValue(index, as: stored.slab, stored.index, slot: $0)
                || isSameNumber(slab, index, stored, slot: $0)
        }
    }

    /// A whole number that is stored in a column of reals or decimals may be read as an integer.
    private func isSameNumber(
        _ slab: RowSlab, _ index: Int, _ stored: (slab: RowSlab, index: Int), slot: Int
    ) -> Bool {
        slab.tag(index, slot) == RowTag.real && stored.slab.tag(stored.index, slot) == RowTag.integer
            && Int64(exactly: slab.real(index, slot)) == stored.slab.integer(stored.index, slot)
    }

    /// Whether a stored relationship leads to a target, one of some entities.
    ///
    /// - Parameter target: Nil for nothing; nil within for an object that is not known yet.
    private func leads(
        _ stored: (slab: RowSlab, index: Int), _ slot: Int, to target: ImportLedger.Place??, of entities: Set<Int>
    ) -> Bool {
        let reference = stored.slab.reference(stored.index, slot)
        guard let target else { return reference == nil }
        guard let target, let reference, reference.key == target.key else { return false }
        // A row does not say the entity where there is but one.
        return reference.target.map { $0 == target.entity } ?? entities.contains(target.entity)
    }
}
