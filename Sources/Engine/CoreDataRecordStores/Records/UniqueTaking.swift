import CoreDataStore

/// Determines the changes of one save in a store's uniqueness indexes, and the rows that violate constraints.
///
/// Leaves the indexes themselves unchanged.
struct UniqueTaking {
    private struct Collision: Hashable {
        let constraint: Int
        let holder: Int64
    }

    /// The changes of each index, by the number of the constraint.
    private(set) var changes: [UniqueIndex.Change]
    private let tables: RecordTables
    private var order: [Collision] = []
    private var found: [Collision: [RowAddress]] = [:]
    /// The rows of the plan with which later rows of the plan collide.
    private var takers: [Collision: RowAddress] = [:]

    /// Computed, since a stored second reference to the indexes would make each save copy them.
    private var constraints: [UniqueIndex] { tables.constraints }

    init(of tables: RecordTables) {
        self.tables = tables
        changes = tables.constraints.map { _ in UniqueIndex.Change() }
    }

    /// Determines the changes for the rows of a save. Values that a deleted or replaced row had are free for other
    /// rows.
    mutating func take(_ writing: RecordWriting) {
        let constraints = constraints
        guard !constraints.isEmpty else { return }
        for row in writing.formerRows {
            for number in constraints.indices { constraints[number].giveUp(row, in: &changes[number]) }
        }
        for row in writing.newRows {
            for number in constraints.indices {
                if let holder = constraints[number].take(row, in: &changes[number]) {
                    note(row, Collision(constraint: number, holder: holder))
                }
            }
        }
        guard !order.isEmpty else { return }
        for row in writing.newRows { noteTaker(row) }
    }

    /// The conflicts; rows that collide with the same row are in one conflict.
    var conflicts: [UniquenessConflict] {
        order.map { collision in
            let index = constraints[collision.constraint]
            let stored = tables.row(root: index.layout.root, key: collision.holder)
            let holder =
                takers[collision] ?? stored.map { RowAddress(binding: $0.slab.binding, key: collision.holder) }
            return UniquenessConflict(constraint: index.names, rows: found[collision] ?? [], holder: holder)
        }
    }

    private mutating func note(_ row: RowSnapshot, _ collision: Collision) {
        if found[collision] == nil { order.append(collision) }
        found[collision, default: []].append(RowAddress(binding: row.slab.binding, key: row.key))
    }

    private mutating func noteTaker(_ row: RowSnapshot) {
        for number in constraints.indices where constraints[number].layout.root == row.slab.layout.root {
            let collision = Collision(constraint: number, holder: row.key)
            if found[collision] != nil { takers[collision] = RowAddress(binding: row.slab.binding, key: row.key) }
        }
    }
}
