import CoreData
import SQLiteKit

/// Which objects two stores have, outside of memory: for each side where an object is and by what it is known.
final class ComparisonIndex {
    enum Side: String {
        case left
        case right
    }

    /// An object of one store.
    struct Place: Hashable {
        let entity: Int
        let key: Int64
    }

    /// One object in both stores, or in one.
    struct Pair {
        let left: Place?
        let right: Place?
    }

    private let database: ScratchDatabase

    init() throws {
        let columns = "(scope INTEGER, value TEXT, repetition INTEGER, entity INTEGER, key INTEGER, root INTEGER)"
        database = try ScratchDatabase(
            """
            CREATE TABLE left_objects \(columns); CREATE TABLE right_objects \(columns);
            CREATE TABLE todo (side TEXT, entity INTEGER, key INTEGER, PRIMARY KEY (side, entity, key)) WITHOUT ROWID;
            """)
    }

    /// Notes an object; `root` is the number of its entity's root in its store.
    func add(_ side: Side, scope: Int, value: String, _ place: Place, root: Int) throws {
        try database.run(
            "INSERT INTO \(side.rawValue)_objects VALUES (?, ?, 0, ?, ?, ?)", .integer(Int64(scope)), .text(value),
            .integer(Int64(place.entity)), .integer(place.key), .integer(Int64(root)))
    }

    /// Makes the objects of both sides ready to be asked for: those with the same values are distinguished by their order.
    func finish() throws {
        for side in [Side.left, .right] {
            let table = "\(side.rawValue)_objects"
            try database.run("CREATE INDEX \(side.rawValue)_values ON \(table) (scope, value, key)")
            try database.run(
                """
                UPDATE \(table) SET repetition = numbered.number FROM (SELECT rowid AS id, row_number() OVER
                (PARTITION BY scope, value ORDER BY key) - 1 AS number FROM \(table)) AS numbered
                WHERE numbered.id = \(table).rowid AND numbered.number > 0
                """)
            try database.run("CREATE UNIQUE INDEX \(side.rawValue)_places ON \(table) (root, key)")
        }
    }

    /// By what an object is known: the scope, the value, and which of those with this value it is.
    func name(_ side: Side, root: Int, key: Int64) throws -> String? {
        try database.first(
            "SELECT scope, repetition, value FROM \(side.rawValue)_objects WHERE root = ? AND key = ?",
            .integer(Int64(root)), .integer(key)
        ) { "\($0.int64(0)) \($0.int64(1)) \($0.text(2) ?? "")" }
    }

    /// Hands out all objects in portions: those of the left side with their counterparts, then those of the right without.
    func forEachPortion(_ size: Int, _ body: ([Pair]) throws -> Void) throws {
        let columns = "l.entity, l.key, r.entity, r.key"
        let condition = "l.scope = r.scope AND l.value = r.value AND l.repetition = r.repetition"
        try portions(
            "SELECT \(columns) FROM left_objects l LEFT JOIN right_objects r ON \(condition) ORDER BY l.entity, l.key",
            size: size, body: body)
        try portions(
            "SELECT NULL, NULL, r.entity, r.key FROM right_objects r WHERE NOT EXISTS "
                + "(SELECT 1 FROM left_objects l WHERE \(condition)) ORDER BY r.entity, r.key", size: size, body: body)
    }

    /// The object of the right side that one of the left is.
    func counterpart(root: Int, key: Int64) throws -> Place? {
        try database.first(
            "SELECT r.entity, r.key FROM left_objects l JOIN right_objects r ON l.scope = r.scope AND l.value = r.value "
                + "AND l.repetition = r.repetition WHERE l.root = ? AND l.key = ?",
            .integer(Int64(root)), .integer(key)
        ) { Place(entity: Int(truncatingIfNeeded: $0.int64(0)), key: $0.int64(1)) }
    }

    /// Remembers an object of which something is to be done.
    func addTodo(_ side: Side, _ place: Place) throws {
        try database.run(
            "INSERT OR IGNORE INTO todo VALUES (?, ?, ?)", .text(side.rawValue), .integer(Int64(place.entity)),
            .integer(place.key))
    }

    /// Hands out the remembered objects of a side in portions of one entity.
    func forEachTodo(_ side: Side, size: Int, body: (Int, [Int64]) throws -> Void) throws {
        var (entity, keys): (Int, [Int64]) = (-1, [])
        try database.forEach(
            "SELECT entity, key FROM todo WHERE side = ? ORDER BY entity, key", .text(side.rawValue)
        ) { row in
            let next = Int(truncatingIfNeeded: row.int64(0))
            if next != entity || keys.count == size {
                if !keys.isEmpty { try body(entity, keys) }
                (entity, keys) = (next, [])
            }
            keys.append(row.int64(1))
        }
        if !keys.isEmpty { try body(entity, keys) }
    }

    private func portions(_ question: String, size: Int, body: ([Pair]) throws -> Void) throws {
        var pairs: [Pair] = []
        try database.forEach(question) { row in
            pairs.append(Pair(left: Self.place(row, 0), right: Self.place(row, 2)))
            guard pairs.count == size else { return }
            try body(pairs)
            pairs.removeAll(keepingCapacity: true)
        }
        if !pairs.isEmpty { try body(pairs) }
    }

    private static func place(_ row: Statement, _ column: Int) -> Place? {
        row.isNull(column)
            ? nil : Place(entity: Int(truncatingIfNeeded: row.int64(column)), key: row.int64(column + 1))
    }
}
