import CoreDataSQL
import SQLiteKit

/// Inserts and updates rows, with one prepared statement for each entity and set of changed slots.
///
/// If another row still has the unique values of a row to update, the latter is parked: its columns are set to null, so
/// that other rows can get its old values, and it is written after all other updates. Null values never collide.
struct RowWriter {
    private let file: StoreFile
    private var insertions: [Int: RowStatement] = [:]
    private var updates: [Shape: RowStatement] = [:]
    /// The statement for the last row, cached since rows with the same shape are mostly consecutive.
    private var former: (shape: Shape, statement: RowStatement)?
    private var parked: [SavePlan.Row] = []
    /// The rows whose unique values another row keeps.
    private var colliding: [SavePlan.Row] = []

    /// What rows with the same statement have in common; insertions have no slots.
    private struct Shape: Hashable {
        let layout: Int
        let slots: SlotSet
    }

    init(file: StoreFile) { self.file = file }

    /// Inserts a row; returns false if a row with its key exists.
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

    /// Updates the changed columns of a row with the expected version; returns false if there is no such row.
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

    /// Writes the rows that were parked because another row still had their values.
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

    /// - Throws: `SaveRefusal` if unique values of rows are also those of other rows.
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
    /// Whether a row was rejected because another has the same values in a unique index.
    var isUniquenessFailure: Bool { code == .constraintUnique }
}

extension StoreFile {
    func plan(for row: SavePlan.Row) -> RowPlan? {
        plan(number: entityNumber(ofLayout: row.slab.layout.number))
    }
}
