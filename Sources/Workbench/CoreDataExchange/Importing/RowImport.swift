import CoreData

/// The part of the first pass that needs no objects: makes rows of records, and saves them many at a time.
final class RowImport {
    /// A row that has not been saved yet.
    final class PendingRow {
        let record: ImportRecord
        let file: Int
        let entity: ImportEntity
        let keys: [MatchIndex.Key]
        fileprivate let place: ImportLedger.Place
        fileprivate let row: RowFilling

        fileprivate init(
            record: ImportRecord, file: Int, entity: ImportEntity, keys: [MatchIndex.Key], place: ImportLedger.Place,
            row: RowFilling
        ) {
            self.record = record
            self.file = file
            self.entity = entity
            self.keys = keys
            self.place = place
            self.row = row
        }
    }

    /// After how many rows, or bytes of their texts and blobs, they are to be saved.
    private static let mostRows = 1000
    private static let mostBytes = 4 << 20

    private let progress: ImportProgress
    private var store: OpenStore { progress.store }
    private var pendingRows: [PendingRow] = []
    private var bytes = 0
    /// The slabs that take further rows, by entity.
    private var open: [Int: RowSlab] = [:]
    private var rows: NewRows?
    /// The keys of each root entity that the rows will have: those that the store will give out next.
    private var keys: [Int: (first: Int64, count: Int)] = [:]
    /// The root entities of rows with values that must be unique.
    private(set) var uniqueRoots: Set<Int> = []

    init(_ progress: ImportProgress) { self.progress = progress }

    var isFull: Bool { pendingRows.count >= Self.mostRows || bytes >= Self.mostBytes }

    /// Whether an object is a row that has not been saved yet.
    func isUnsaved(_ place: ImportLedger.Place) -> Bool {
        guard let (first, _) = keys[progress.model.entities[place.entity].root] else { return false }
        return place.key >= first
    }

    // MARK: Making rows

    /// Makes a row of a record that becomes a new object; nil where that has to be an object, or is to be refused.
    ///
    /// - Throws: where the ledger cannot be written.
    func take(
        _ record: ImportRecord, file: Int, entity: ImportEntity, keys: [MatchIndex.Key]
    ) throws -> ImportLedger.Place? {
        guard let form = entity.rows else { return nil }
        let place = ImportLedger.Place(entity: form.layout.number, key: try nextKey(form.layout.root))
        let rows = rows ?? NewRows(in: store.store)
        self.rows = rows
        let slab = slab(for: form.layout)
        let (count, heap, files) = (slab.count, slab.heapSize, rows.largeCount)
        defer { bytes += record.size + slab.heapSize - heap }
        var row = RowFilling(in: slab)
        guard try row.fill(record, form: form, rows: rows, key: place.key, progress: progress),
            try name(record.label, place)
        else {
            if slab.count > count { slab.removeLastRow() }
            rows.discardLargeValues(after: files)
            return nil
        }
        pendingRows.append(PendingRow(record: record, file: file, entity: entity, keys: keys, place: place, row: row))
        self.keys[form.layout.root]?.count += 1
        if form.isUnique { uniqueRoots.insert(form.layout.root) }
        return place
    }

    private func name(_ label: String?, _ place: ImportLedger.Place) throws -> Bool {
        try label.map { try progress.ledger.name($0, place) } ?? true
    }

    /// The key that the store will give out next.
    private func nextKey(_ root: Int) throws -> Int64 {
        if let (first, count) = keys[root] { return first + Int64(count) }
        guard let source = store.store.objects else { return 1 }
        let grant = try store.namingFile { try source.checkOutKeys([root: 1]) }
        source.checkInKeys(grant)
        let first = grant.blocks[root]?.first ?? 1
        keys[root] = (first, 0)
        return first
    }

    private func slab(for layout: EntityLayout) -> RowSlab {
        if let slab = open[layout.number], !slab.isFull { return slab }
        let slab = RowSlab(binding: store.store.binding(for: layout), capacity: 32)
        open[layout.number] = slab
        return slab
    }

    // MARK: Saving them

    /// Saves the rows; gives them back where the store refuses them, to be taken as objects.
    func flush() throws -> [PendingRow] {
        guard !pendingRows.isEmpty, let source = store.store.objects else { return [] }
        defer {
            (pendingRows, open, keys, uniqueRoots) = ([], [:], [:], [])
            (bytes, rows) = (0, nil)
        }
        let counts = keys.mapValues { $0.count }.filter { $0.value > 0 }
        let grant = try store.namingFile { try source.checkOutKeys(counts) }
        var plan = SavePlan()
        plan.source = store.context.changeSource
        plan.keys = grant
        plan.inserts = pendingRows.map {
            .init(slab: $0.row.slab, index: $0.row.index, changed: SlotSet(), expectedVersion: 0)
        }
        let isAsForeseen = grant.blocks.allSatisfy { $0.value.first == keys[$0.key]?.first }
        if isAsForeseen, try isSaved(plan) {
            try noteDrafts()
            return []
        }
        source.checkInKeys(grant)
        rows?.discardLargeValues(after: 0)
        for pending in pendingRows { if let label = pending.record.label { try progress.ledger.forget(label) } }
        return pendingRows
    }

    private func isSaved(_ plan: SavePlan) throws -> Bool {
        do {
            return try store.store.save(plan)
        } catch {
            rows?.discardLargeValues(after: 0)
            throw SaveFailure(error, naming: { _ in nil }).error(at: store.facts.url)
        }
    }

    /// Notes in the ledger what the later passes need.
    private func noteDrafts() throws {
        if store.isShared {
            store.context.heldChanges?.inserted += pendingRows.map { progress.identifier(of: $0.place) }
        }
        var rest = pendingRows[...]
        while let entity = rest.first?.entity {
            let run = rest.prefix { $0.entity === entity }
            progress.counts[entity.name, default: .init()].inserted += run.count
            for pending in run.prefix(progress.samples.limit) {
                progress.samples.add(pending.record, entity: entity.name)
            }
            rest = rest.dropFirst(run.count)
        }
        for pending in pendingRows {
            let (file, line) = (pending.file, pending.record.position)
            for (slot, label) in pending.row.targets {
                try progress.ledger.note(label, slot: slot, of: pending.place, file: file, line: line)
            }
            if !pending.row.links.isEmpty {
                progress.ledger.note(
                    try pending.entity.text(pending.row.links), of: pending.place, file: file, line: line,
                    isUnchanged: false)
            }
            if pending.row.isIncomplete { try progress.ledger.check(pending.place, origin: (file, line)) }
        }
    }
}
