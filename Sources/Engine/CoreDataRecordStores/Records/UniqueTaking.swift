import CoreDataStore

/// What one save does to the uniqueness constraints of a store, and the rows that are in each other's way.
///
/// The constraints themselves stay as they are.
struct UniqueTaking {
    private struct Collision: Hashable {
        let constraint: Int
        let holder: Int64
    }

    /// By the numbers of the constraints.
    private(set) var changes: [UniqueIndex.Change]
    private let tables: RecordTables
    private var order: [Collision] = []
    private var found: [Collision: [RowAddress]] = [:]
    /// The rows of the plan that took values, for those that come after them.
    private var takers: [Collision: RowAddress] = [:]

    /// Not stored here: a second reference to the indexes would make each save copy them completely.
    private var constraints: [UniqueIndex] { tables.constraints }

    init(of tables: RecordTables) {
        self.tables = tables
        changes = tables.constraints.map { _ in UniqueIndex.Change() }
    }

    /// Goes through the rows of a save: what is given up can be taken by others.
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

    /// The conflicts; rows that collide with the same other row are one.
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
