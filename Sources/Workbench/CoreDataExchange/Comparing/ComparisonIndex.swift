import CoreData
import SQLiteKit

/// Pairs the objects of two stores in a temporary database: for each object, its place in its store and the values that
/// identify it.
final class ComparisonIndex {
    enum Side: String {
        case left
        case right
    }

    /// The entity number and primary key of an object in one store.
    struct Place: Hashable {
        let entity: Int
        let key: Int64
    }

    /// The places of an object in both stores; nil for a store that does not have the object.
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

    /// Adds an object to be paired by `scope` and `value` with one of the other side; `root`: its root entity's number.
    func add(_ side: Side, scope: Int, value: String, _ place: Place, root: Int) throws {
        try database.run(
            "INSERT INTO \(side.rawValue)_objects VALUES (?, ?, 0, ?, ?, ?)", .integer(Int64(scope)), .text(value),
            .integer(Int64(place.entity)), .integer(place.key), .integer(Int64(root)))
    }

    /// Prepares the index for queries after all objects were added; numbers the objects with equal values.
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

    /// The name of an object, built from its scope, its value and its number among objects with this value; nil if
    /// unknown.
    func name(_ side: Side, root: Int, key: Int64) throws -> String? {
        try database.first(
            "SELECT scope, repetition, value FROM \(side.rawValue)_objects WHERE root = ? AND key = ?",
            .integer(Int64(root)), .integer(key)
        ) { "\($0.int64(0)) \($0.int64(1)) \($0.text(2) ?? "")" }
    }

    /// Calls `body` with all objects in portions of `size`: those of the left side, with counterparts if any, and then
    /// those of the right side without a counterpart.
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

    /// The counterpart on the right side of an object of the left side.
    func counterpart(root: Int, key: Int64) throws -> Place? {
        try database.first(
            "SELECT r.entity, r.key FROM left_objects l JOIN right_objects r ON l.scope = r.scope AND l.value = r.value "
                + "AND l.repetition = r.repetition WHERE l.root = ? AND l.key = ?",
            .integer(Int64(root)), .integer(key)
        ) { Place(entity: Int(truncatingIfNeeded: $0.int64(0)), key: $0.int64(1)) }
    }

    /// Records an object that an alignment must write or delete.
    func addTodo(_ side: Side, _ place: Place) throws {
        try database.run(
            "INSERT OR IGNORE INTO todo VALUES (?, ?, ?)", .text(side.rawValue), .integer(Int64(place.entity)),
            .integer(place.key))
    }

    /// Calls `body` with the objects of a side that `addTodo(_:_:)` recorded, in portions of a single entity.
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
