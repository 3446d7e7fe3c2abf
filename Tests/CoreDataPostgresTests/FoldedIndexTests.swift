import CoreData
import StoreContract
import TestBasics
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres
@testable import CoreDataSQL

/// Indexes of texts without regard to case and marks: made with the store, or when it is opened, and used.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(10)))
struct FoldedIndexTests {
    private static let count = TestSeed.isExhaustive ? 200_000 : 20_000

    private let place: URL
    private let name: String
    private let server: PostgresServer

    init() throws {
        server = try PostgresServer.shared.get()
        place = server.makeURL("folded")
        name = try #require(URLComponents(string: place.absoluteString)?.queryItems?.last?.value)
    }

    private func makeStack(_ options: [String: Any] = [:], at place: URL? = nil) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity(
            "City",
            ["name": .stringAttributeType, "link": .URIAttributeType, "size": .integer64AttributeType])
        builder.entity("Street", ["name": .stringAttributeType])
        builder.relationships("City.streets*", "Street.city")
        builder["City"].indexes = ["name", "link", "size"].compactMap { key in
            builder["City"].propertiesByName[key].map {
                NSFetchIndexDescription(
                    name: "by\(key)", elements: [NSFetchIndexElementDescription(property: $0, collationType: .binary)])
            }
        }
        return try Stack(builder.model, url: place ?? self.place, kind: .postgreSQL, options: options)
    }

    /// Cities with a name of their own, most of them in ASCII, every tenth with letters beyond.
    private func fill(_ count: Int = count) throws {
        try server.execute(
            "INSERT INTO \(name).zcity (z_pk, z_ent, z_opt, zname, zsize) SELECT n, 1, 1, "
                + "CASE WHEN n % 10 = 0 THEN 'Mü' ELSE 'Mu' END || 'ster ' || md5(n::text), n "
                + "FROM generate_series(1, \(count)) n")
        try server.execute("UPDATE \(name).z_primarykey SET z_max = 1000000")
        try server.execute("ANALYZE \(name).zcity")
    }

    private func explain(_ stack: Stack, _ format: String, _ entity: String = "City") throws -> ServerExplanation {
        let store = try #require(stack.store as? BackedStore<PostgresStore>)
        return try store.withBackend { backend in
            let layout = try #require(backend.shape.layouts.layout(named: entity))
            let predicate = try NSPredicate(parsing: format)
            return try backend.explain(
                FetchQuery(binding: store.binding(for: layout), predicate: predicate), isCarriedOut: true)
        }
    }

    /// The shortest of some times that a fetch takes.
    private func time(_ stack: Stack, _ format: String) throws -> Duration {
        let request = NSFetchRequest<NSManagedObject>(entityName: "City")
        request.predicate = try NSPredicate(parsing: format)
        return try (0..<5).map { _ in
            var count = 0
            let time = try ContinuousClock().measure { count = try stack.context.fetch(request).count }
            #expect(count == 1)
            return time
        }.min() ?? .zero
    }

    /// The predicates that ask for an object whose number is known.
    private static let lookUps = [
        "name ==[cd] 'MUSTER 4a64d913220fca4c33c140c6952688a8'", "name ==[c] 'MUSTER 4A64d913220fca4c33c140c6952688a8'",
        "name ==[d] 'Muster 4a64d913220fca4c33c140c6952688a8'", "name ==[l] 'Muster 4a64d913220fca4c33c140c6952688a8'",
        "name BEGINSWITH[cd] 'müster 4a64d913220'", "name LIKE[c] 'muster 4a64d913220*'",
        "name IN[cd] {'müster 4a64d913220fca4c33c140c6952688a8', 'nobody'}",
        "size > 0 AND (name ==[cd] 'MÜSTER 4a64d913220fca4c33c140c6952688a8' OR name ==[c] 'nobody')",
    ]

    @Test("look-ups without regard to case and marks go by an index, and look at few rows (PRD-17)")
    func lookUps() throws {
        let stack = try makeStack()
        try fill()
        for format in Self.lookUps {
            let found = try explain(stack, format)
            #expect(found.outcome == .init(answered: 1, evaluated: 0), "\(format)")
            #expect(found.questions.last?.plan.indexes == ["zcity_zname_folded"], "\(format)")
            #expect(try #require(found.examined) <= 10, "\(format): \(found.questions.last?.plan.lines ?? [])")
        }
        let served = try Self.lookUps.map { try time(stack, $0) }
        try server.execute("DROP INDEX \(name).zcity_zname_folded")
        let reader = try makeStack([NSReadOnlyPersistentStoreOption: true])
        for (format, by) in zip(Self.lookUps, served) {
            let without = try time(reader, format)
            print("  \(format): \(by) by the index, \(without) of \(Self.count) rows, \(Int(without / by)) times")
        }
        let through = try explain(stack, "city.name ==[cd] 'x'", "Street")
        #expect(through.outcome?.answered == 0)
        #expect(through.questions.last?.query.sql.contains("normalize") == true)
    }

    @Test("a store without the index answers the same; who opens it and may makes it where the table is small (PRD-17)")
    func storeWithoutIndexAnswersSame() throws {
        do {
            let stack = try makeStack()
            try fill(5_500)
            for city in ["Straße", "STRASSE", "\u{FB01}n", "Fin"] { stack.context.insert("City", ["name": city]) }
            try stack.context.save()
            try stack.coordinator.remove(stack.store)
        }
        func answers(_ stack: Stack) throws -> [Int?] {
            try (Self.lookUps + ["name ==[c] 'strasse'", "name BEGINSWITH[cd] 'FI'"]).map {
                try explain(stack, $0).outcome?.answered
            }
        }
        let expected = Array(repeating: 1, count: Self.lookUps.count) + [2, 2]
        try server.execute("DROP INDEX \(name).zcity_zname_folded")
        do {
            let reader = try makeStack([NSReadOnlyPersistentStoreOption: true])
            let explanation = try explain(reader, Self.lookUps[0])
            #expect(!(explanation.questions.last?.query.sql.contains(FoldedKey.other) ?? true))
            #expect(explanation.missingIndexes.count == 1)
            #expect(explanation.missingIndexes.first?.hasPrefix("CREATE INDEX CONCURRENTLY") == true)
            #expect(try explain(reader, "size > 3").missingIndexes.isEmpty)
            #expect(try answers(reader) == expected)
            try reader.coordinator.remove(reader.store)
        }
        do {
            let writer = try makeStack()
            let explanation = try explain(writer, Self.lookUps[0])
            #expect(explanation.questions.last?.query.sql.contains(FoldedKey.other) == true)
            #expect(explanation.missingIndexes.isEmpty)
            #expect(try answers(writer) == expected)
            try writer.coordinator.remove(writer.store)
        }
        // Of a large table it is left to who knows when there is time: with the statement that is told.
        try server.execute("DROP INDEX \(name).zcity_zname_folded")
        try server.execute(
            "INSERT INTO \(name).zcity (z_pk, z_ent, z_opt, zname) "
                + "SELECT 2000000 + n, 1, 1, repeat(md5(n::text), 30) FROM generate_series(1, 20000) n")
        let large = try makeStack()
        let statement = try #require(try explain(large, Self.lookUps[0]).missingIndexes.first)
        try server.execute(statement)
        try large.coordinator.remove(large.store)
        let again = try makeStack()
        #expect(try explain(again, Self.lookUps[0]).missingIndexes.isEmpty)
        #expect(try answers(again) == expected)
    }

    @Test("a list of texts asks an index once, however long it is (PRD-17)")
    func listOfTextsAsksIndexOnce() throws {
        let stack = try makeStack()
        try fill(5_500)
        let names = (5_000..<5_300).map { "MÜSTER \($0)" } + ["müster 4A64d913220fca4c33c140c6952688a8"]
        let list = names.map { "'\($0)'" }.joined(separator: ", ")
        let found = try explain(stack, "name IN[cd] {\(list)}")
        #expect(found.outcome == .init(answered: 1, evaluated: 0) && found.examined == 1)
        let sql = try #require(found.questions.first).query.sql
        #expect(sql.components(separatedBy: FoldedKey.other).count == 2)
    }

    @Test("a dump has the index, and a store that is restored of it looks up by it (PRD-17)")
    func dumpHasIndexAndStoreThatIsRestoredOfItLooksUp() throws {
        let first = try makeStack()
        try fill(5_500)
        try first.coordinator.remove(first.store)
        let connect = "--host='\(server.host)' --username=coredata"
        let dump = "\(server.data)/\(name)"
        for command in [
            "createdb \(connect) \(name)", "pg_dump \(connect) --schema=\(name) --file='\(dump)' postgres",
            "psql \(connect) --quiet --set=ON_ERROR_STOP=1 --dbname=\(name) --file='\(dump)'",
            "psql \(connect) --quiet --dbname=\(name) --command=ANALYZE",
        ] { try server.run("\(server.programs)/\(command)") }
        let text = place.absoluteString.replacingOccurrences(of: "/postgres?", with: "/\(name)?")
        let stack = try makeStack([NSReadOnlyPersistentStoreOption: true], at: URL(string: text))
        let found = try explain(stack, Self.lookUps[0])
        #expect(found.outcome == .init(answered: 1, evaluated: 0) && found.examined == 1)
        #expect(found.questions.last?.plan.indexes == ["zcity_zname_folded"])
        try stack.coordinator.remove(stack.store)
    }

    @Test("what an index of folded texts costs a save is printed (PRD-17)")
    func whatIndexOfFoldedTextsCostsSaveIsPrinted() throws {
        let (many, single) = TestSeed.isExhaustive ? (50_000, 300) : (2_000, 20)
        let stack = try makeStack()
        for letters in ["Muster Mann und Frau", "Müster Männer und Frau"] {
            var times: [[Duration]] = []
            for isThere in [true, false] {
                if !isThere {
                    try server.execute(
                        "CREATE TABLE \(name).definition AS SELECT pg_get_indexdef('\(name).zcity_zname_folded'::regclass) AS text; "
                            + "DROP INDEX \(name).zcity_zname_folded")
                }
                try server.execute("TRUNCATE \(name).zcity")
                times.append(
                    try [(many, 1), (1, single)].map { count, repetitions in
                        try ContinuousClock().measure {
                            for repetition in 0..<repetitions {
                                for number in 0..<count {
                                    stack.context.insert("City", ["name": "\(letters) \(number * 7_919 + repetition)"])
                                }
                                try stack.context.save()
                                stack.context.reset()
                            }
                        } / repetitions
                    })
                #expect(
                    try stack.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "City")) == many + single)
            }
            try server.execute(
                "DO $$ BEGIN EXECUTE (SELECT text FROM \(name).definition); END $$; DROP TABLE \(name).definition")
            print(
                "  \(letters): \(many) objects \(times[0][0]), without the index \(times[1][0]); "
                    + "one object \(times[0][1]), without \(times[1][1])")
        }
    }

    @Test("a text of any length is saved and found by an index of folded texts (PRD-17)")
    func longTexts() throws {
        let builder = ModelBuilder()
        builder.entity("Page", ["text": .stringAttributeType])
        let text = try #require(builder["Page"].propertiesByName["text"])
        builder["Page"].indexes = [
            NSFetchIndexDescription(
                name: "byText", elements: [NSFetchIndexElementDescription(property: text, collationType: .binary)])
        ]
        let stack = try Stack(builder.model, url: place, kind: .postgreSQL)
        var random = SeededRandom(seed: 3)
        let long = String(
            String.UnicodeScalarView(
                (0..<20_000).compactMap { _ in Unicode.Scalar(0x4E00 + UInt32(random.next(below: 20_000))) }))
        stack.context.insert("Page", ["text": long])
        stack.context.insert("Page", ["text": long + "x"])
        try stack.context.save()
        for (format, count) in [("text ==[c] %@", 1), ("text BEGINSWITH[cd] %@", 2)] {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Page")
            request.predicate = try NSPredicate(parsing: format, arguments: [long])
            #expect(try stack.context.count(for: request) == count)
        }
    }
}
