import CoreDataSQL
import SQLiteKit

/// Carries out one batch insertion with a prepared statement, executed once for each row.
struct BatchInsertWriter {
    private let file: StoreFile
    private let batch: BatchInsertion
    private let plan: RowPlan
    private let root: EntityMapping
    private var overwriting: [SlotSet: RowStatement] = [:]
    private var derivations: SQLiteDerivationWriter?
    private var outcome = BatchOutcome()
    /// The greatest key before the insertion.
    private var greatestBefore: Int64 = 0
    /// The keys of the existing rows that were overwritten and are in the outcome.
    private var overwritten: Set<Int64> = []

    /// - Throws: `NSCoreDataError` for an entity that the store does not contain.
    init(_ batch: BatchInsertion, in file: StoreFile) throws {
        self.file = file
        self.batch = batch
        let mapping = try file.mapping(of: batch.binding.layout)
        guard let plan = file.plan(number: Int64(mapping.number)),
            let root = file.shape.rootMapping(batch.binding.layout.root)
        else { throw CoreDataError.make(NSCoreDataError, "The store does not keep entity '\(mapping.name)'.") }
        self.plan = plan
        self.root = root
        derivations = file.derivedColumns.map { SQLiteDerivationWriter(file: file, columns: $0) }
    }

    mutating func run() throws -> BatchOutcome {
        greatestBefore = try file.keys.greatestKey(batch.binding.layout.root, file.connection)
        var last = greatestBefore
        let insertion = try RowStatement(plan, file)
        while true {
            let (key, overflow) = last.addingReportingOverflow(1)
            guard !overflow else { throw file.keys.noKeysLeft(root) }
            let largeValues = batch.largeValues?.count ?? 0
            guard let row = try batch.next(key) else { break }
            try file.requireTargets(of: row)
            do {
                try insertion.insert(row)
                last = key
                note(inserted: key)
            } catch let error as SQLiteError where error.isUniquenessFailure {
                try resolve(row, largeValues)
            }
        }
        if last > greatestBefore { try file.keys.record(last, of: batch.binding.layout.root, file.connection) }
        try derivations?.write()
        return outcome
    }

    private mutating func note(inserted key: Int64) {
        outcome.count += 1
        if batch.report == .addresses { outcome.addresses.append(RowAddress(binding: plan.binding, key: key)) }
        derivations?.note(inserted: key, layout: plan.layout.number)
    }

    // MARK: Existing unique values

    private mutating func resolve(_ row: SavePlan.Row, _ largeValues: Int) throws {
        let holders = try SQLiteUniquenessSearch(file: file).holders(for: row)
        switch batch.collisions {
        case .refuse: throw collision(holders)
        case .keep: batch.largeValues?.discard(after: largeValues)
        case .overwrite:
            let keys = Set(holders.map { $0.1?.key })
            guard keys.count == 1, let holder = holders.first?.1,
                holder.binding.layout.entity.isKindOf(entity: plan.layout.entity)
            else { throw collision(holders) }
            try overwrite(holder, with: row)
        }
    }

    private func collision(_ holders: [([String], RowAddress?)]) -> NSError {
        SaveRefusal.collision(of: holders.map(\.0), row: "A row of the batch, after \(outcome.count) others: ")
    }

    /// Writes the row's values over the existing row with the same unique values, and increments that row's version.
    private mutating func overwrite(_ holder: RowAddress, with row: SavePlan.Row) throws {
        let table = SQLIdentifier.quoted(plan.mapping.table)
        let version =
            try file.connection.value(
                "SELECT IFNULL(CAST(Z_OPT AS INTEGER), 0) FROM \(table) WHERE Z_PK = ?", [.integer(holder.key)])?
            .integer ?? 0
        let replacement = row.replacing(holder.key, version: version)
        derivations?.note(updated: holder.key, layout: holder.binding.layout.number, row.changed)
        try derivations?.findFormerOwners()
        let statement = try overwriting[row.changed] ?? RowStatement(plan, file, updating: row.changed)
        overwriting[row.changed] = statement
        do {
            _ = try statement.update(replacement)
        } catch let error as SQLiteError where error.isUniquenessFailure {
            throw collision(try SQLiteUniquenessSearch(file: file).holders(for: replacement))
        }
        outcome.count += 1
        guard batch.report == .addresses, holder.key <= greatestBefore, overwritten.insert(holder.key).inserted else {
            return
        }
        outcome.addresses.append(holder)
    }
}
