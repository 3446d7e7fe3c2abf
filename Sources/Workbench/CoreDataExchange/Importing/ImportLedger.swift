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
    /// Links of the present portion.
    private var noted: [Links] = []
    /// What labels begin with before their number.
    private var prefixes: [Substring: Int64] = [:]
    /// The prefix that was looked up last.
    private var former: (text: Substring, number: Int64)?

    init() throws {
        database = try ScratchDatabase(
            """
            CREATE TABLE numbered (label INTEGER PRIMARY KEY, entity INTEGER, key INTEGER);
            CREATE TABLE named (label TEXT PRIMARY KEY, entity INTEGER, key INTEGER) WITHOUT ROWID;
            CREATE TABLE matches (scope INTEGER, value TEXT, entity INTEGER, key INTEGER,
                PRIMARY KEY (scope, value)) WITHOUT ROWID;
            CREATE TABLE numberMatches (value INTEGER PRIMARY KEY, entity INTEGER, key INTEGER);
            CREATE TABLE links (number INTEGER PRIMARY KEY, file INTEGER, line INTEGER, entity INTEGER, key INTEGER,
                unchanged INTEGER, members TEXT);
            CREATE TABLE targets (number INTEGER PRIMARY KEY, file INTEGER, line INTEGER, entity INTEGER, key INTEGER,
                slot INTEGER, label TEXT);
            CREATE TABLE checks (entity INTEGER, key INTEGER, file INTEGER, line INTEGER,
                PRIMARY KEY (entity, key)) WITHOUT ROWID;
            """)
    }

    // MARK: Labels

    /// How many prefixes labels may have, and how many bits their numbers; others are stored as texts.
    private static let mostPrefixes = 1000
    private static let numberBits: Int64 = 52

    /// A label as the ledger keeps it: of most the number behind the last `p`, below that of what stands before.
    private enum Label {
        case number(Int64)
        case text(String)
    }

    /// The form of a label; nil for one that no object has got, unless it is to be kept.
    private mutating func form(of label: String, keeping: Bool) -> Label? {
        guard let (prefix, number) = Self.parts(label) else { return .text(label) }
        if let former, former.text == prefix { return .number(former.number << Self.numberBits | number) }
        if let known = prefixes[prefix] {
            former = (prefix, known)
            return .number(known << Self.numberBits | number)
        }
        guard prefixes.count < Self.mostPrefixes else { return .text(label) }
        guard keeping else { return nil }
        let text = Substring(String(prefix))
        let known = Int64(prefixes.count)
        prefixes[text] = known
        return .number(known << Self.numberBits | number)
    }

    /// A label's number behind its last `p`, and what stands before; nil for a label without one.
    private static func parts(_ label: String) -> (prefix: Substring, number: Int64)? {
        guard let mark = label.utf8.lastIndex(of: UInt8(ascii: "p")) else { return nil }
        let digits = label[label.utf8.index(after: mark)...]
        guard let first = digits.utf8.first, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first),
            let number = Int64(digits), number < 1 << numberBits
        else { return nil }
        return (label[..<mark], number)
    }

    /// Lets a label stand for an object; false where it stands for another already.
    mutating func name(_ label: String, _ place: Place) throws -> Bool {
        let (entity, key) = (Value.integer(Int64(place.entity)), Value.integer(place.key))
        let isNew =
            switch form(of: label, keeping: true) {
            case .number(let number):
                try database.change("INSERT OR IGNORE INTO numbered VALUES (?, ?, ?)", .integer(number), entity, key)
            case .text(let text):
                try database.change("INSERT OR IGNORE INTO named VALUES (?, ?, ?)", .text(text), entity, key)
            case nil: false
            }
        return try isNew || self.place(named: label) == place
    }

    /// Lets a label stand for nothing.
    mutating func forget(_ label: String) throws {
        switch form(of: label, keeping: false) {
        case .number(let number): try database.run("DELETE FROM numbered WHERE label = ?", .integer(number))
        case .text(let text): try database.run("DELETE FROM named WHERE label = ?", .text(text))
        case nil: return
        }
    }

    /// The object that a label stands for.
    mutating func place(named label: String) throws -> Place? {
        switch form(of: label, keeping: false) {
        case .number(let number):
            try database.first(
                "SELECT entity, key FROM numbered WHERE label = ?", .integer(number), row: Self.place)
        case .text(let text):
            try database.first("SELECT entity, key FROM named WHERE label = ?", .text(text), row: Self.place)
        case nil: nil
        }
    }

    private static func place(_ row: Statement) -> Place {
        Place(entity: Int(truncatingIfNeeded: row.int64(0)), key: row.int64(1))
    }

    // MARK: Matches

    /// Notes the values by which an object is found; two objects with the same ones are found by neither.
    func note(_ value: String, scope: Int, _ place: Place) throws {
        let (entity, key) = (Value.integer(Int64(place.entity)), Value.integer(place.key))
        if let number = Self.number(value, scope) {
            try database.run(
                "INSERT INTO numberMatches VALUES (?1, ?2, ?3) " + Self.onSecond, .integer(number), entity, key)
        } else {
            try database.run(
                "INSERT INTO matches (entity, key, scope, value) VALUES (?2, ?3, ?1, ?4) " + Self.onSecond,
                .integer(Int64(scope)), entity, key, .text(value))
        }
    }

    private static let onSecond =
        "ON CONFLICT DO UPDATE SET key = CASE WHEN key = ?3 AND entity = ?2 THEN key ELSE -1 END"

    /// A whole number as the key of a table, which takes much less than its text; nil for other values.
    private static func number(_ value: String, _ scope: Int) -> Int64? {
        guard scope < mostPrefixes, let first = value.utf8.first, first != UInt8(ascii: "+"),
            first != UInt8(ascii: "0") || value.utf8.count == 1, let number = Int64(value), number >= 0,
            number < 1 << numberBits
        else { return nil }
        return Int64(scope) << numberBits | number
    }

    /// The object with some values; its key is -1 where there are several.
    func match(_ value: String, scope: Int) throws -> Place? {
        if let number = Self.number(value, scope) {
            return try database.first(
                "SELECT entity, key FROM numberMatches WHERE value = ?", .integer(number), row: Self.place)
        }
        return try database.first(
            "SELECT entity, key FROM matches WHERE scope = ? AND value = ?", .integer(Int64(scope)), .text(value),
            row: Self.place)
    }

    // MARK: Links

    /// Notes links of the present portion, which `keepLinks()` keeps.
    mutating func note(_ members: String, of place: Place, file: Int, line: Int, isUnchanged: Bool) {
        noted.append(
            Links(number: 0, file: file, line: line, owner: place, isUnchanged: isUnchanged, members: members))
    }

    /// Keeps the links that were noted, in the order of the files: of records that demand what only one can have, the
    /// later gets it, whether they became rows or objects.
    mutating func keepLinks() throws {
        for links in noted.sorted(by: { ($0.file, $0.line) < ($1.file, $1.line) }) {
            try database.run(
                "INSERT INTO links (file, line, entity, key, unchanged, members) VALUES (?, ?, ?, ?, ?, ?)",
                .integer(Int64(links.file)), .integer(Int64(links.line)), .integer(Int64(links.owner.entity)),
                .integer(links.owner.key), .integer(links.isUnchanged ? 1 : 0), .text(links.members))
        }
        noted = []
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

    // MARK: Targets

    /// The one relationship of a row that waits for its target.
    struct Target {
        let number: Int64
        let file: Int
        let line: Int
        let owner: Place
        let slot: Int
        let label: String
    }

    func note(_ label: String, slot: Int, of place: Place, file: Int, line: Int) throws {
        try database.run(
            "INSERT INTO targets (file, line, entity, key, slot, label) VALUES (?, ?, ?, ?, ?, ?)",
            .integer(Int64(file)), .integer(Int64(line)), .integer(Int64(place.entity)), .integer(place.key),
            .integer(Int64(slot)), .text(label))
    }

    /// The next targets after some number, at most as many.
    func targets(after number: Int64, limit: Int) throws -> [Target] {
        var found: [Target] = []
        try database.forEach(
            "SELECT number, file, line, entity, key, slot, label FROM targets WHERE number > ? ORDER BY number LIMIT ?",
            .integer(number), .integer(Int64(limit))
        ) { row in
            found.append(
                Target(
                    number: row.int64(0), file: Int(truncatingIfNeeded: row.int64(1)),
                    line: Int(truncatingIfNeeded: row.int64(2)),
                    owner: Place(entity: Int(truncatingIfNeeded: row.int64(3)), key: row.int64(4)),
                    slot: Int(truncatingIfNeeded: row.int64(5)), label: row.text(6) ?? ""))
        }
        return found
    }

    // MARK: Checks

    /// Remembers an object whose relationships are to be checked when all objects are there, and the line that it came
    /// from, where that is known.
    func check(_ place: Place, origin: (file: Int, line: Int)? = nil) throws {
        let parts = origin.map { [$0.file, $0.line].map { Value.integer(Int64($0)) } } ?? [.null, .null]
        try database.run(
            "INSERT INTO checks VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET file = ifnull(file, excluded.file), "
                + "line = ifnull(line, excluded.line)",
            .integer(Int64(place.entity)), .integer(place.key), parts[0], parts[1])
    }

    /// The next objects to check after one, at most as many.
    func checks(after place: Place, limit: Int) throws -> [Place] {
        var found: [Place] = []
        try database.forEach(
            "SELECT entity, key FROM checks WHERE (entity, key) > (?, ?) ORDER BY entity, key LIMIT ?",
            .integer(Int64(place.entity)), .integer(place.key), .integer(Int64(limit))
        ) { found.append(Self.place($0)) }
        return found
    }

    /// The file and line that an object came from which is to be checked; nil where it came from none.
    func origin(of place: Place) throws -> (file: Int, line: Int)? {
        let (entity, key) = (Value.integer(Int64(place.entity)), Value.integer(place.key))
        let read: (Statement) -> (Int, Int) = {
            (Int(truncatingIfNeeded: $0.int64(0)), Int(truncatingIfNeeded: $0.int64(1)))
        }
        return try database.first(
            "SELECT file, line FROM checks WHERE entity = ? AND key = ? AND line IS NOT NULL", entity, key, row: read)
            ?? database.first("SELECT file, line FROM links WHERE entity = ? AND key = ?", entity, key, row: read)
            ?? database.first("SELECT file, line FROM targets WHERE entity = ? AND key = ?", entity, key, row: read)
    }
}
