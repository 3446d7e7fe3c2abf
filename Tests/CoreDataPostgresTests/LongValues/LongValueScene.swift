import CoreData
import PostgresKit
import StoreContract
import TestBasics
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres
@testable import CoreDataSQL

/// A store whose indexed and unique texts and data may have any length.
struct LongValueScene {
    /// The lengths that the beginnings of indexes, the limit of the server's indexes and its large values make different.
    static let lengths = [1, 199, 200, 201, 799, 800, 801, 2_600, 2_800, 10_000, 1_000_000]

    let place: URL
    let name: String
    let server: PostgresServer

    init() throws {
        server = try PostgresServer.shared.get()
        place = server.makeURL("long")
        name = try #require(URLComponents(string: place.absoluteString)?.queryItems?.last?.value)
    }

    static func makeModel() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Page",
            [
                "text": .stringAttributeType, "first": .stringAttributeType, "second": .stringAttributeType,
                "code": .stringAttributeType, "left": .stringAttributeType, "right": .binaryDataAttributeType,
                "data": .binaryDataAttributeType, "number": .integer64AttributeType, "id": .UUIDAttributeType,
                "notes": .stringAttributeType,
            ])
        func index(_ name: String, _ keys: String...) -> NSFetchIndexDescription {
            NSFetchIndexDescription(
                name: name,
                elements: keys.compactMap { key in
                    builder["Page"].propertiesByName[key].map {
                        NSFetchIndexElementDescription(property: $0, collationType: .binary)
                    }
                })
        }
        builder["Page"].indexes = [
            index("byText", "text"), index("byBoth", "first", "second", "number"), index("byData", "data"),
            index("byID", "id"), index("byMany", "number", "first", "second", "text", "code"),
        ]
        builder["Page"].uniquenessConstraints = [["code"], ["left", "right", "number"]]
        return builder.model
    }

    func open(_ options: [String: Any] = [:]) throws -> Stack {
        try Stack(Self.makeModel(), url: place, kind: .postgreSQL, options: options)
    }

    func explain(
        _ stack: Stack, _ format: String, _ arguments: [Any?] = [], sortedBy sorting: [NSSortDescriptor] = [],
        limit: Int = 0
    ) throws -> ServerExplanation {
        let store = try #require(stack.store as? BackedStore<PostgresStore>)
        return try store.withBackend { backend in
            let layout = try #require(backend.shape.layouts.layout(named: "Page"))
            return try backend.explain(
                FetchQuery(
                    binding: store.binding(for: layout), predicate: NSPredicate(parsing: format, arguments: arguments),
                    sortDescriptors: sorting, limit: limit), isCarriedOut: true)
        }
    }

    /// Has the store's indexes over expressions as an earlier version has made them: over the columns themselves.
    func makeOld() throws {
        for (index, columns) in [
            ("text", "ztext"), ("bytext", "ztext"), ("bydata", "zdata"), ("data", "zdata"),
            ("byboth", "zfirst, zsecond, znumber"), ("bymany", "znumber, zfirst, zsecond, ztext, zcode"),
        ] {
            let keys = columns.split(separator: ",").map { "\($0) ASC NULLS FIRST" }.joined(separator: ", ")
            try server.execute(
                "DROP INDEX \(name).z_page_\(index); CREATE INDEX z_page_\(index) ON \(name).zpage (\(keys))")
        }
        for (constraint, columns) in [("code", "zcode"), ("left_right_number", "zleft, zright, znumber")] {
            try server.execute(
                "ALTER TABLE \(name).zpage DROP CONSTRAINT z_page_unique_\(constraint), "
                    + "ADD CONSTRAINT z_page_unique_\(constraint) UNIQUE (\(columns)) DEFERRABLE INITIALLY DEFERRED")
        }
        try server.execute("DROP INDEX \(name).zpage_ztext_folded, \(name).zpage_zfirst_folded")
    }

    /// Asks the server itself, in a transaction; texts of the first column.
    @discardableResult
    func ask(_ sql: String) throws -> [String] {
        let connection = try PostgresConnection.open(
            ConnectionParameters([("host", server.host), ("user", "coredata"), ("dbname", "postgres")]),
            timeout: .seconds(20))
        defer { connection.close() }
        let result = try connection.transaction { try connection.query(sql) }
        return (0..<result.rowCount).map { result.text($0, 0) ?? "" }
    }

    /// Pages with a text and a code of their own.
    func fill(_ count: Int, _ text: String = "'Page ' || md5(n::text)") throws {
        try server.execute(
            "INSERT INTO \(name).zpage (z_pk, z_ent, z_opt, ztext, zcode, zfirst, zsecond, znumber, zdata) "
                + "SELECT n, 1, 1, \(text), md5((-n)::text), 'First ' || n % 100, 'Second ' || n, n, decode(md5(n::text), 'hex') "
                + "FROM generate_series(1, \(count)) n")
        try server.execute("UPDATE \(name).z_primarykey SET z_max = 1000000")
        try server.execute("ANALYZE \(name).zpage")
    }

    /// A text that no compression makes shorter, of scalars of up to four bytes, quotation marks and backslashes among them; huge ones
    /// are of one byte each.
    static func text(_ length: Int, _ random: inout SeededRandom) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<length {
            let number: UInt32 =
                switch length > 100_000 ? 0 : random.next(below: 8) {
                case 0: 0x20 + UInt32(random.next(below: 0x5F))
                case 1: [0x5C, 0x27, 0x22, 0xE9, 0x0A][random.next(below: 5)]
                case 2: 0x400 + UInt32(random.next(below: 0x50))
                case 3: 0x4E00 + UInt32(random.next(below: 20_000))
                default: 0x20000 + UInt32(random.next(below: 40_000))
                }
            if let scalar = Unicode.Scalar(number) { text.append(scalar) }
        }
        return String(text)
    }

    static func data(_ length: Int, _ random: inout SeededRandom) -> Data {
        Data((0..<length).map { _ in UInt8(random.next(below: 256)) })
    }
}
