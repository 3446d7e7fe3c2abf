import CoreDataSQL
import SQLiteKit

/// Inserts and updates rows, with one prepared statement for each entity and set of changed slots.
///
/// A row whose unique values another row still has is parked: its own are taken away, so that others may have them, and
/// it is written again when all other updates are done. Nil never collides.
struct RowWriter {
    private let file: StoreFile
    private var insertions: [Int: RowStatement] = [:]
    private var updates: [Shape: RowStatement] = [:]
    /// The statement of the last row, since rows of one shape follow each other.
    private var former: (shape: Shape, statement: RowStatement)?
    private var parked: [SavePlan.Row] = []
    /// Rows whose unique values are another row's for good.
    private var colliding: [SavePlan.Row] = []

    /// The common properties of rows of one statement; insertions have empty slots.
    private struct Shape: Hashable {
        let layout: Int
        let slots: SlotSet
    }

    init(file: StoreFile) { self.file = file }

    /// Inserts a row; false when there is one with its key.
    mutating func insert(_ row: SavePlan.Row) throws -> Bool {
        guard let statement = try insertion(row) else { return true }
        do {
            try statement.insert(row)
        } catch let error as SQLiteError where error.isUniquenessFailure {
            colliding.append(row)
        } catch let error as SQLiteError where error.code == .constraintPrimaryKey {
            return false
        }
        return true
    }

    /// Overwrites the changed columns of a row of the expected version; false if there is no such row.
    mutating func update(_ row: SavePlan.Row) throws -> Bool {
        guard let statement = try update(of: row) else { return true }
        do {
            return try statement.update(row)
        } catch let error as SQLiteError where error.isUniquenessFailure {
            try statement.park(row)
            parked.append(row)
            return true
        }
    }

    /// Writes the rows whose values were another's when their turn came.
    mutating func writeParked() throws {
        for row in parked {
            do {
                _ = try update(of: row)?.update(row)
            } catch let error as SQLiteError where error.isUniquenessFailure {
                colliding.append(row)
            }
        }
        parked = []
    }

    /// - Throws: `SaveRefusal` when rows have not found their place.
    func requireUnique() throws {
        guard !colliding.isEmpty else { return }
        let conflicts = try SQLiteUniquenessSearch(file: file).conflicts(of: colliding)
        throw SaveRefusal(outcome: .constraintConflicts(conflicts))
    }

    private mutating func insertion(_ row: SavePlan.Row) throws -> RowStatement? {
        let number = row.slab.layout.number
        if let former, former.shape.layout == number, former.statement.isInsertion { return former.statement }
        guard let statement = try insertions[number] ?? file.plan(for: row).map({ try RowStatement($0, file) }) else {
            return nil
        }
        insertions[number] = statement
        former = (Shape(layout: number, slots: SlotSet()), statement)
        return statement
    }

    private mutating func update(of row: SavePlan.Row) throws -> RowStatement? {
        let shape = Shape(layout: row.slab.layout.number, slots: row.changed)
        if let former, former.shape == shape, !former.statement.isInsertion { return former.statement }
        guard
            let statement = try updates[shape]
                ?? file.plan(for: row).map({ try RowStatement($0, file, updating: row.changed) })
        else { return nil }
        updates[shape] = statement
        former = (shape, statement)
        return statement
    }
}

extension SQLiteError {
    /// Whether a row was refused because another has the same values in a unique index.
    var isUniquenessFailure: Bool { code == .constraintUnique }
}

extension StoreFile {
    func plan(for row: SavePlan.Row) -> RowPlan? {
        plan(number: entityNumber(ofLayout: row.slab.layout.number))
    }
}
