import CoreData
import CoreDataExchange
import CoreDataWorkbench
import SQLiteKit
import StoreContract
import TestBasics
import Testing

/// What becomes of objects that are rows from the beginning must be what becomes of objects.
@Suite("Importing rows")
struct RowImportTests {
    /// Seeds that failed in earlier versions: objects with more members than they may have, and two records that demand one place.
    private static func formerFailures(_ seeds: [UInt64]) -> [UInt64] {
        TestSeed.given == nil && !TestSeed.isExhaustive ? seeds : []
    }

    @Test(
        "rows and objects of the same records, good and bad, are the same (TOOL-17)",
        arguments: TestSeed.sequences(12, exhaustive: 2000) + formerFailures([49, 63]))
    func rowsAreAsObjects(seed: UInt64) throws {
        var records = RandomRecords(Int(seed % 3) * 60 + 40, seed: seed)
        let lines = records.lines()
        let (rows, objects) = (try Depot(needsObjects: false), try Depot(needsObjects: true))
        let (ours, theirs) = (try rows.take(lines), try objects.take(lines))
        let difference = Set(ours.refusals).symmetricDifference(theirs.refusals).sorted()
        #expect(ours == theirs, "seed \(seed): \(difference)")
        #expect(ours.isSaved && ours.counts.inserted > 0)
        let (left, right) = (try rows.objects(), try objects.objects())
        #expect(left == right, "seed \(seed)")
        #expect(left.count == ours.counts.inserted)
        let (own, other) = (try rows.derived(), try objects.derived())
        #expect(own == other, "seed \(seed)")
        let findings = try rows.findings()
        #expect(findings == [], "seed \(seed)")
    }

    @Test(
        "a second import by a constraint, and one that changes some objects, are the same for rows and objects (TOOL-17)",
        arguments: TestSeed.sequences(6, exhaustive: 500) + formerFailures([116, 300]))
    func laterImportsAreAsThoseOfObjects(seed: UInt64) throws {
        var records = RandomRecords(60, seed: seed)
        let all = records.lines(isSound: true)
        let (rows, objects) = (try Depot(needsObjects: false), try Depot(needsObjects: true))
        let match = MatchRule.keys(["code"])
        let first = try rows.take(Array(all.prefix(40)), match: match)
        let expected = try objects.take(Array(all.prefix(40)), match: match)
        #expect(first == expected, "seed \(seed)")
        let before = try rows.versions()
        let dry = try rows.take(all, match: match, mode: .dryRun)
        #expect(!dry.isSaved)
        let again = try rows.versions()
        #expect(again == before, "seed \(seed)")
        // Some objects are there, others come, and some come twice with other values.
        let changed =
            all
            + all.filter { $0.contains("\"count\":") }.map {
                $0.replacing(/"count":[a-z0-9]+/, with: "\"count\":7").replacing(
                    "\"objectID\":\"x-", with: "\"objectID\":\"y-")
            }
        let (ours, theirs) = (try rows.take(changed, match: match), try objects.take(changed, match: match))
        // What an object gets that the same portion made counts as a change, though it be the same.
        let refused = Set(ours.refusals).symmetricDifference(theirs.refusals).sorted()
        #expect(refused == [] && ours.counts.inserted == theirs.counts.inserted, "seed \(seed): \(refused)")
        let (left, right) = (try rows.objects(), try objects.objects())
        let difference = Set(left).symmetricDifference(right).sorted()
        #expect(difference == [] && left.count == right.count, "seed \(seed): \(difference)")
        let findings = try rows.findings()
        #expect(findings == [], "seed \(seed)")
        // What is there now is not written again.
        let versions = try rows.versions()
        let last = try rows.take(Array(all.prefix(1)), match: match)
        #expect(last.counts.inserted == 0)
        let final = try rows.versions()
        #expect(final.count == versions.count)
    }

    @Test("of values that must be unique the first object of the file keeps them, row or not (TOOL-17)")
    func firstKeepsUniqueValues() throws {
        for needsObjects in [false, true] {
            let depot = try Depot(needsObjects: needsObjects)
            let shelf = #"{"objectID":"s","entity":"Shelf","attributes":{"code":"s"}}"#
            func item(_ code: String, _ count: Int) -> String {
                #"{"entity":"Item","attributes":{"code":"\#(code)","flag":true,"count":\#(count)},"relationships":{"shelf":"s"}}"#
            }
            let first = try depot.take([shelf, item("aa", 1), item("bb", 2), item("aa", 3), item("cc", 4)])
            #expect(first.counts.inserted == 4)
            #expect(first.refusals.count == 1 && first.refusals.allSatisfy { $0.hasPrefix("4: ") }, "\(first.refusals)")
            let kept = try depot.objects().contains { $0.contains(#""code":"aa""#) && $0.contains(#""count":1"#) }
            #expect(kept)
            // An object that is there takes the values of one that is to come, which came before it, or after.
            let move = #"{"objectID":"Item/p2","entity":"Item","attributes":{"code":"dd"}}"#
            for lines in [[item("dd", 5), move], [move, item("dd", 5)]] {
                let outcome = try depot.take([shelf] + lines, match: .identifier, mode: .dryRun)
                let isRight = outcome.refusals.count == 1 && outcome.refusals.allSatisfy { $0.hasPrefix("3: ") }
                #expect(isRight, "\(needsObjects) \(outcome.refusals)")
            }
        }
    }

    @Test("of records that lead to an object with room for few, the first of the file do, rows or not (TOOL-17)")
    func fullObjectsRefuseLaterRecords() throws {
        let shelf = #"{"objectID":"s","entity":"Shelf","attributes":{"code":"s"}}"#
        let box = #"{"objectID":"b","entity":"Box","attributes":{"code":"b"}}"#
        func item(_ number: Int, parent: String = "") -> String {
            #"{"objectID":"i\#(number)","entity":"Item","attributes":{"code":"i\#(number)","flag":true},"#
                + #""relationships":{"box":"b",\#(parent)"shelf":"s"}}"#
        }
        // The second leads nowhere, so it takes no room; of the others the fourth has none.
        let items = [item(1), item(2, parent: #""parent":"none","#), item(3), item(4), item(5)]
        for needsObjects in [false, true] {
            for lines in [
                [shelf, box] + items, items + [box, shelf], [shelf] + items.prefix(3) + [box] + items.suffix(2),
            ] {
                let depot = try Depot(needsObjects: needsObjects)
                let outcome = try depot.take(lines)
                let refused = [items[1], items[4]].compactMap { lines.firstIndex(of: $0) }.map { "\($0 + 1): " }
                    .sorted()
                let isRight =
                    outcome.refusals.count == 2 && zip(outcome.refusals, refused).allSatisfy { $0.hasPrefix($1) }
                #expect(isRight, "\(needsObjects) \(outcome.refusals)")
                #expect(
                    outcome.refusals.contains {
                        $0.contains("at most 3 objects") && !$0.contains(depot.folder.url.path)
                    })
                #expect(outcome.counts.inserted == 5 && outcome.isSaved)
                let findings = try depot.findings()
                #expect(findings == [])
            }
        }
    }

    @Test("rows are recorded in the history as the tool's own changes (TOOL-17)")
    func historyNamesTheTool() throws {
        let depot = try Depot(needsObjects: false, history: true)
        var records = RandomRecords(1500, seed: TestSeed.first)
        let outcome = try depot.take(records.lines(isSound: true))
        let connection = try Connection.open(depot.store.path)
        defer { connection.close() }
        let authors = try connection.rows(
            "SELECT DISTINCT ZNAME FROM ATRANSACTION LEFT JOIN ATRANSACTIONSTRING ON ZAUTHORTS = ATRANSACTIONSTRING.Z_PK"
        ).map { $0[0].text }
        #expect(authors == ["coredata"])
        let insertions = try connection.value("SELECT count(*) FROM ACHANGE WHERE ZCHANGETYPE = 0")?.integer
        #expect(insertions == Int64(outcome.counts.inserted))
    }

    @Test("large values of rows are in files, and those of rows that are refused are not left behind (TOOL-17)")
    func largeValuesAreKept() throws {
        let depot = try Depot(needsObjects: false)
        let large = Data(repeating: 7, count: 200_000).base64EncodedString()
        let shelf = #"{"objectID":"s","entity":"Shelf","attributes":{"code":"s"}}"#
        let good =
            #"{"entity":"Item","attributes":{"code":"aa","flag":true,"image":"\#(large)"},"relationships":{"shelf":"s"}}"#
        func files() throws -> Int {
            try FileManager.default.contentsOfDirectory(
                atPath: depot.folder.url.appendingPathComponent(".Depot_SUPPORT/_EXTERNAL_DATA").path
            ).count
        }
        // One that breaks a rule is known at once, and one whose values are there already when rows are saved.
        for bad in [good.replacing("aa", with: "a"), good] {
            let outcome = try depot.take([shelf, good.replacing("aa", with: "c\(bad.utf8.count)"), good, bad])
            #expect(outcome.refusals.count == (bad == good ? 2 : 1), "\(outcome.refusals)")
        }
        let first = try files()
        #expect(first == 3)
        // One that leads nowhere is known when all objects are there.
        let other = good.replacing("aa", with: "bb")
        let second = try depot.take([shelf, other, good.replacing(#""shelf":"s""#, with: #""shelf":"t""#)])
        #expect(second.counts.inserted == 2)
        #expect(second.refusals.count == 1, "\(second.refusals)")
        let last = try files()
        #expect(last == 4)
        let kept = try depot.objects().contains { $0.contains(large) }
        #expect(kept)
    }

    @Test("a decimal of more digits than a file keeps is found by the same record again (TOOL-17, MOD-15)")
    func longDecimalsMatch() throws {
        let folder = try TemporaryFolder()
        let (place, file) = (
            folder.url.appendingPathComponent("A.sqlite"), folder.url.appendingPathComponent("a.jsonl")
        )
        let builder = ModelBuilder()
        builder.entity("Item", ["code": .stringAttributeType, "price": .decimalAttributeType])
        let made = try Stack(builder.model, url: place)
        try made.coordinator.remove(made.store)
        let record = #"{"entity":"Item","code":"a","price":"0.1234567890123456789"}"#
        try Data("\(record)\n".utf8).write(to: file)
        func take() throws -> ImportReport.Counts {
            let open = try OpenStore(at: place, model: nil, for: .importing)
            defer { open.close() }
            var request = ImportRequest(files: [file.path])
            request.match = .keys(["price"])
            return try StoreImport(request).run(in: open, refused: { _ in }).total
        }
        let (first, second) = (try take(), try take())
        #expect(first.inserted == 1 && second.inserted == 0)
        let stack = try Stack(builder.model, url: place)
        for text in ["0.1234567890123456789", "0.123456789012346"] {
            let predicate = NSPredicate(format: "price == %@", NSDecimalNumber(string: text))
            #expect(try stack.context.all("Item", predicate).count == 1, "\(text)")
        }
    }

    @Test("labels of any number of forms stand for their objects (TOOL-17)")
    func manyFormsOfLabels() throws {
        let depot = try Depot(needsObjects: false)
        let shelves = (0..<1500).map { #"{"objectID":"s\#($0)p1","entity":"Shelf","attributes":{"code":"s\#($0)"}}"# }
        let items = (0..<1500).reversed().map {
            #"{"entity":"Item","attributes":{"code":"i\#($0)","flag":true},"relationships":{"shelf":"s\#($0)p1"}}"#
        }
        for lines in [shelves + items, items.map { $0.replacing(#""code":"i"#, with: #""code":"j"#) }] {
            let outcome = try depot.take(lines)
            // In the second file there are no shelves.
            #expect(outcome.refusals.count == (lines.count == 1500 ? 1500 : 0))
        }
        let objects = try depot.objects()
        let led = objects.filter { line in
            guard let code = line.firstMatch(of: /"code":"i(\d+)"/)?.output.1 else { return false }
            return line.contains("\"shelf\":\"s\(code)\"")
        }
        #expect(led.count == 1500)
    }
}
