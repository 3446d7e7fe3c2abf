import CoreData
import CoreDataExchange
import CoreDataWorkbench
import SQLiteKit
import TestBasics
import Testing

@testable import coredata

/// Lists that are written from rows say what the same lists say that are written from objects.
///
/// Without a sort the order is the store's, and not the same for identifiers as for whole rows.
@Suite struct RowListTests {
    private func expectEqualLists(of entity: NSEntityDescription, in store: OpenStore) throws {
        let name = entity.name ?? ""
        let query = try ObjectQuery(entity)
        let columns = try KeyRoute.columns(of: entity)
        let counts = try entity.relationshipsByName.filter { $0.value.isToMany && !$0.value.isTransient }.flatMap {
            [try KeyRoute($0.key, from: entity), try KeyRoute("\($0.key).@count", from: entity)]
        }
        let routes = try columns + [KeyRoute("entity", from: entity)] + counts
        for shown in [nil, routes] {
            let (rows, objects) = (Failures(), Failures())
            let written = try Self.rows(query, shown, as: .json, in: store, rows)
            var lines: [String] = []
            try store.forEachObject(query) { lines.append(JSONWriter.line($0.json(shown, failures: objects.add))) }
            if lines.isEmpty {
                #expect(written == "[]\n")
            } else {
                #expect(written.hasPrefix("[\n") && written.hasSuffix("\n]\n"))
                let shown = String(written.dropFirst(2).dropLast(3))
                #expect(Self.parts(shown, ",\n") == Self.parts(lines.joined(separator: ",\n"), ",\n"), "\(name)")
            }
            #expect(rows.texts.sorted() == objects.texts.sorted())
        }
        let (rows, objects) = (Failures(), Failures())
        let written = try Self.rows(query, routes, as: .csv, in: store, rows)
        var text = ""
        try store.forEachObject(query) { record in
            text += CSVLine.text(
                routes.map { route in
                    let reading = record.read(route)
                    if case .unreadable(let reason) = reading {
                        objects.add("\(record.id.shortText) \(route.text)", reason)
                    }
                    return reading.text
                })
        }
        #expect(Self.parts(written, "\r\n") == Self.parts(text, "\r\n"), "\(name)")
        #expect(rows.texts.sorted() == objects.texts.sorted())
    }

    private static func parts(_ text: String, _ separator: String) -> [String] {
        text.components(separatedBy: separator).sorted()
    }

    private final class Failures {
        private(set) var texts: [String] = []
        func add(_ place: String, _ reason: String) { texts.append("\(place): \(reason)") }
    }

    private static func rows(
        _ query: ObjectQuery, _ routes: [KeyRoute]?, as format: ListFormat, in store: OpenStore, _ failures: Failures
    ) throws -> String {
        var bytes: [UInt8] = []
        let isDone = try store.writeList(of: query, routes, as: format, failures: failures.add) {
            bytes.append(contentsOf: $0)
        }
        #expect(isDone)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func everyTypeIsWrittenAsOfItsObject() throws {
        let library = try Library()
        defer { library.remove() }
        var statements = ["INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (90, 1, 1, '')"]
        for (number, change) in Self.awkward.enumerated() {
            let key = 100 + number
            statements.append(
                "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (\(key), \(2 + number % 2), 1, 'x')")
            statements.append("UPDATE ZBOOK SET \(change) WHERE Z_PK = \(key)")
        }
        let connection = try Connection.open(library.store.path)
        for statement in statements { try connection.execute(statement) }
        connection.close()
        let store = try OpenStore(at: library.store, model: library.package)
        for entity in store.entities { try expectEqualLists(of: entity, in: store) }
    }

    private static let awkward = [
        "ZTITLE = ''", "ZTITLE = ' a'", "ZTITLE = 'a '", "ZTITLE = 'a,b'",
        "ZTITLE = char(34, 13, 10, 9, 0, 27, 127, 92)",
        "ZTITLE = 'Grüße, 日本 👩‍👩‍👧 ' || char(0x202E, 0x85, 0xFEFF, 0x10FFFF)", "ZTITLE = CAST(x'41FF42C3' AS TEXT)",
        "ZTITLE = CAST(x'ED' AS TEXT)", "ZTITLE = x'41'", "ZTITLE = 7", "ZTITLE = NULL",
        "ZPAGES = 32767, ZNUMBER = -9223372036854775808", "ZPAGES = 32768", "ZPAGES = -1, ZNUMBER = 0", "ZPAGES = 1.5",
        "ZNUMBER = 9223372036854775807", "ZNUMBER = 'x'", "ZISREAD = 0", "ZISREAD = 2", "ZISREAD = 'x'",
        "ZRATING = 9e999", "ZRATING = -9e999", "ZRATING = 1e300", "ZRATING = -0.0", "ZRATING = 1e-7", "ZRATING = 5",
        "ZWEIGHT = 0.1", "ZWEIGHT = 1e39", "ZWEIGHT = 16777217", "ZWEIGHT = 1e-46", "ZWEIGHT = 'x'",
        "ZPRICE = 12", "ZPRICE = 12.5", "ZPRICE = -0.37", "ZPRICE = 0.1 + 0.2", "ZPRICE = 1e20", "ZPRICE = 1e-7",
        "ZPRICE = 123456789012345.0", "ZPRICE = 0.1234567890123456", "ZPRICE = 0.0", "ZPRICE = 9e999",
        "ZPRICE = 9007199254740993", "ZPRICE = 'x'", "ZPRICE = x'3132'",
        "ZISBN = x'00112233445566778899AABBCCDDEEFF'", "ZISBN = x'00'", "ZISBN = 'x'", "ZLINK = 'https://a/b c'",
        "ZLINK = ''", "ZLINK = 'http://[::1'", "ZLINK = 1", "ZCOVER = x''", "ZCOVER = x'01'", "ZCOVER = x'0102'",
        "ZCOVER = x'010203FF'", "ZCOVER = 'text'", "ZTAGS = x'00'", "ZTAGS = 'x'", "ZAUTHOR = 1", "ZAUTHOR = 4711",
        "ZAUTHOR = 'x'", "ZAUTHOR = 90",
    ]

    @Test("dates before and after all that have a year, and at fractions, are written as of their objects")
    func datesAreWrittenAsOfTheirObjects() throws {
        let library = try Library()
        defer { library.remove() }
        let dates = [
            "0", "-0.5", "1", "0.001", "0.000001", "0.123456789", "0.9999999999", "-978307200", "-63114076800",
            "-63114076800.001", "252423993599.5", "252423993600", "1e300", "9e999", "-9e999", "'x'", "x'00'",
            "599529600.1234567", "-62135769600",
        ]
        for (number, date) in dates.enumerated() {
            try Database.change(
                library.store,
                "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME, ZBORN) VALUES (\(100 + number), 1, 1, 'n', \(date))")
        }
        let store = try OpenStore(at: library.store, model: library.package)
        try expectEqualLists(of: store.entity(named: "Author"), in: store)
    }

    @Test func relationshipsOfAllKindsAreWrittenAsOfTheirObjects() throws {
        let club = try Club.filled()
        defer { club.remove() }
        let store = try OpenStore(at: club.store, model: club.package)
        for entity in store.entities { try expectEqualLists(of: entity, in: store) }
        let query = try ObjectQuery(
            store.entity(named: "Member"), where: "level > 1", sort: "-name", limit: 1, offset: 1)
        let text = try Self.rows(
            query, [KeyRoute("name", from: query.entity)], as: .csv, in: store, Failures())
        #expect(text == "Bob\r\n")
    }

    @Test func pathsOverRelationshipsAreLeftToObjects() throws {
        let club = try Club.filled()
        defer { club.remove() }
        let store = try OpenStore(at: club.store, model: club.package)
        let query = try ObjectQuery(store.entity(named: "Member"))
        let isDone = try store.writeList(
            of: query, [KeyRoute("team.title", from: query.entity)], as: .csv, failures: { _, _ in },
            to: { _ in Issue.record("something was written") })
        #expect(!isDone)
        let outcome = try club.run("fetch", "Member", "--keys", "name,team.title", "--format", "csv")
        #expect(outcome.output == "name,team.title\r\nAnn,A\r\nBob,A\r\nCid,A\r\n")
    }

    @Test(
        "rows of every store that Apple's framework wrote are written as their objects (TOOL-16)",
        .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)), arguments: FixtureStoreTests.stores)
    func fixturesAreWrittenAsTheirObjects(path: String) throws {
        let url = try Fixtures.copyOfStore(path)
        defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
        // Stores of 2009 and 2012 keep no model.
        guard let store = try? OpenStore(at: url, model: nil) else { return }
        for entity in store.entities { try expectEqualLists(of: entity, in: store) }
    }
}
