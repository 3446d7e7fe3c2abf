import CoreData
import SQLiteKit

/// What an import remembers of all its objects, outside of memory: their labels, match values, and links to come.
struct ImportLedger {
    /// Where an object is in the store.
    struct Place: Hashable {
        let entity: Int
        let key: Int64

        /// The place of an object that has been saved, or has a permanent identifier.
        init(_ object: NSManagedObject) { self.init(entity: object.layout.number, key: object.key) }

        init(entity: Int, key: Int64) {
            self.entity = entity
            self.key = key
        }
    }

    /// The relationships of an object that wait for others.
    struct Links {
        let number: Int64
        let file: Int
        let line: Int
        let owner: Place
        /// Whether the object was there and has not been changed so far.
        let isUnchanged: Bool
        /// An object of JSON: relationships by name.
        let members: String
    }

    private let database: ScratchDatabase
    /// What labels begin with before their number.
    private var prefixes: [Substring: Int64] = [:]

    init() throws {
        database = try ScratchDatabase(
            """
            CREATE TABLE numbered (prefix INTEGER, number INTEGER, entity INTEGER, key INTEGER,
                PRIMARY KEY (prefix, number)) WITHOUT ROWID;
            CREATE TABLE named (label TEXT PRIMARY KEY, entity INTEGER, key INTEGER) WITHOUT ROWID;
            CREATE TABLE matches (scope INTEGER, value TEXT, entity INTEGER, key INTEGER,
                PRIMARY KEY (scope, value)) WITHOUT ROWID;
            CREATE TABLE links (number INTEGER PRIMARY KEY, file INTEGER, line INTEGER, entity INTEGER, key INTEGER,
                unchanged INTEGER, members TEXT);
            CREATE TABLE checks (entity INTEGER, key INTEGER, PRIMARY KEY (entity, key)) WITHOUT ROWID;
            """)
    }

    // MARK: Labels

    /// A label's number behind its last `p`, and what stands before; nil for a label without one.
    private static func parts(_ label: String) -> (prefix: Substring, number: Int64)? {
        guard let mark = label.utf8.lastIndex(of: UInt8(ascii: "p")) else { return nil }
        let digits = label[label.utf8.index(after: mark)...]
        guard let number = Int64(digits), digits.utf8.first != UInt8(ascii: "0"), number > 0,
            digits.utf8.first != UInt8(ascii: "+")
        else { return nil }
        return (label[..<mark], number)
    }

    /// Lets a label stand for an object; false where it stands for another already.
    mutating func name(_ label: String, _ place: Place) throws -> Bool {
        if let known = try self.place(named: label) { return known == place }
        let (entity, key) = (Value.integer(Int64(place.entity)), Value.integer(place.key))
        guard let (prefix, number) = Self.parts(label) else {
            try database.run("INSERT INTO named VALUES (?, ?, ?)", .text(label), entity, key)
            return true
        }
        let known = prefixes[prefix] ?? Int64(prefixes.count)
        prefixes[prefix] = known
        try database.run("INSERT INTO numbered VALUES (?, ?, ?, ?)", .integer(known), .integer(number), entity, key)
        return true
    }

    /// The object that a label stands for.
    func place(named label: String) throws -> Place? {
        guard let (prefix, number) = Self.parts(label) else {
            return try database.first("SELECT entity, key FROM named WHERE label = ?", .text(label), row: Self.place)
        }
        guard let known = prefixes[prefix] else { return nil }
        return try database.first(
            "SELECT entity, key FROM numbered WHERE prefix = ? AND number = ?", .integer(known), .integer(number),
            row: Self.place)
    }

    private static func place(_ row: Statement) -> Place {
        Place(entity: Int(truncatingIfNeeded: row.int64(0)), key: row.int64(1))
    }

    // MARK: Matches

    /// Notes the values by which an object is found; two objects with the same ones are found by neither.
    func note(_ value: String, scope: Int, _ place: Place) throws {
        try database.run(
            "INSERT INTO matches VALUES (?1, ?2, ?3, ?4) "
                + "ON CONFLICT DO UPDATE SET key = CASE WHEN key = ?4 AND entity = ?3 THEN key ELSE -1 END",
            .integer(Int64(scope)), .text(value), .integer(Int64(place.entity)), .integer(place.key))
    }

    /// The object with some values; its key is -1 where there are several.
    func match(_ value: String, scope: Int) throws -> Place? {
        try database.first(
            "SELECT entity, key FROM matches WHERE scope = ? AND value = ?", .integer(Int64(scope)), .text(value),
            row: Self.place)
    }

    // MARK: Links

    func note(_ members: String, of place: Place, file: Int, line: Int, isUnchanged: Bool) throws {
        try database.run(
            "INSERT INTO links (file, line, entity, key, unchanged, members) VALUES (?, ?, ?, ?, ?, ?)",
            .integer(Int64(file)), .integer(Int64(line)), .integer(Int64(place.entity)), .integer(place.key),
            .integer(isUnchanged ? 1 : 0), .text(members))
    }

    /// The next links after some number, at most as many.
    func links(after number: Int64, limit: Int) throws -> [Links] {
        var found: [Links] = []
        try database.forEach(
            "SELECT number, file, line, entity, key, unchanged, members FROM links WHERE number > ? ORDER BY number LIMIT ?",
            .integer(number), .integer(Int64(limit))
        ) { row in
            found.append(
                Links(
                    number: row.int64(0), file: Int(truncatingIfNeeded: row.int64(1)),
                    line: Int(truncatingIfNeeded: row.int64(2)),
                    owner: Place(entity: Int(truncatingIfNeeded: row.int64(3)), key: row.int64(4)),
                    isUnchanged: row.int64(5) == 1, members: row.text(6) ?? ""))
        }
        return found
    }

    // MARK: Checks

    /// Remembers an object whose relationships are to be checked when all objects are there.
    func check(_ place: Place) throws {
        try database.run(
            "INSERT OR IGNORE INTO checks VALUES (?, ?)", .integer(Int64(place.entity)), .integer(place.key))
    }

    /// The next objects to check after one, at most as many, and the line each came from, if it came from one.
    func checks(after place: Place, limit: Int) throws -> [Place] {
        var found: [Place] = []
        try database.forEach(
            "SELECT entity, key FROM checks WHERE (entity, key) > (?, ?) ORDER BY entity, key LIMIT ?",
            .integer(Int64(place.entity)), .integer(place.key), .integer(Int64(limit))
        ) { found.append(Self.place($0)) }
        return found
    }

    /// The file and line that an object came from.
    func origin(of place: Place) throws -> (file: Int, line: Int)? {
        try database.first(
            "SELECT file, line FROM links WHERE entity = ? AND key = ?", .integer(Int64(place.entity)),
            .integer(place.key)
        ) { (Int(truncatingIfNeeded: $0.int64(0)), Int(truncatingIfNeeded: $0.int64(1))) }
    }
}
