import CoreData
import StoreContract
import TestBasics
import Testing

@testable import CoreDataBrowser

@Suite("Large lists in the browser")
struct LargeListTests {
    private static let count = 5_000

    /// A store of notes `n 0` to `n 4999`, in a scattered order, of ten colours.
    private static func stack() throws -> Stack {
        let builder = ModelBuilder()
        builder.entity(
            "Note", ["name": .stringAttributeType, "colour": .stringAttributeType, "rank": .integer64AttributeType])
        let stack = try Stack(builder.model)
        var number = 0
        let request = NSBatchInsertRequest(entityName: "Note") { (line: NSMutableDictionary) -> Bool in
            guard number < count else { return true }
            line["name"] = "n \(number)"
            line["colour"] = "colour \(number % 10)"
            line["rank"] = (number * 7_919) % count
            number += 1
            return false
        }
        try stack.context.execute(request)
        return stack
    }

    @Test("a window near the beginning needs no order, one far from it makes the order once for all tabs (BRW-15)")
    func windowNearBeginningNeedsNoOrder() async throws {
        let answers = BrowserAnswers(try Self.stack())
        let orders = answers.browser.core.orders(of: try answers.browser.core.store("1"))
        let first = try await answers.json("/stores/1/entities/Note?sort=-rank&limit=3")
        let made = orders.statistics.made
        #expect(made == 0 && first["total"].isNull)
        #expect(first["rows"].list.map { $0["values"]["rank"].number } == [4_999, 4_998, 4_997])
        let far = try await answers.json("/stores/1/entities/Note?sort=-rank&offset=3000&limit=2")
        #expect(far["rows"].list.map { $0["values"]["rank"].number } == [1_999, 1_998])
        #expect(far["total"].number == Self.count)
        let total = try await answers.json("/stores/1/entities/Note/total?sort=-rank")
        #expect(total["total"].number == Self.count && total["order"].text == far["order"].text)
        let id = try #require(far["rows"][1]["id"].text)
        let around = try await answers.json("/stores/1/entities/Note?sort=-rank&around=\(id)&limit=5")
        #expect(around["offset"].number == 2_999 && around["rows"][2]["id"].text == id)
        let short = try await answers.json(
            "/stores/1/entities/Note?sort=-rank&around=\(id.split(separator: "/")[1])&limit=1")
        #expect(short["rows"][0]["id"].text == id)
        let (passes, bytes, held) = orders.statistics
        #expect(passes == 1 && held == 1 && bytes == Self.count * 8)
    }

    @Test("an order is rebuilt after a save, and the old one leaves out what is gone (BRW-15)")
    func orderIsRebuiltAfterSave() async throws {
        let stack = try Self.stack()
        let answers = BrowserAnswers(stack)
        let list = "/stores/1/entities/Note?sort=rank&offset=3000&limit=2"
        let before = try await answers.json(list)
        let gone = try await stack.context.perform {
            let note = try #require(stack.context.all("Note", NSPredicate(format: "rank == 3000")).first)
            stack.context.delete(note)
            try stack.context.save()
            return "Note/\(note.objectID.uriRepresentation().lastPathComponent)"
        }
        #expect(before["rows"][0]["id"].text == gone)
        let old = try await answers.json(list + "&order=\(before["order"].text ?? "")")
        #expect(old["rows"].list.map { $0["values"]["rank"].number } == [3_001] && old["outdated"].flag == true)
        let new = try await answers.json(list)
        #expect(new["rows"].list.map { $0["values"]["rank"].number } == [3_001, 3_002])
        #expect(new["total"].number == Self.count - 1 && new["outdated"].flag == false)
    }

    @Test("a total ends when the client goes away (BRW-15)", .timeLimit(.minutes(1)))
    func totalEndsWhenClientGoesAway() async throws {
        let answers = BrowserAnswers(try Self.stack())
        let orders = answers.browser.core.orders(of: try answers.browser.core.store("1"))
        let slow = "/stores/1/entities/Note/total?where=name%20MATCHES%20%22(.*.*.*.*.*.*)%2Bx%22"
        let task = Task { await answers.response(slow).status }
        await eventually("the pass") { orders.statistics.made == 1 }
        task.cancel()
        let status = await task.value
        #expect(status == 499)
        let held = orders.statistics.held
        #expect(held == 0)
        let next = try await answers.json("/stores/1/entities/Note/total?where=rank%20%3C%2010")
        #expect(next["total"].number == 10)
    }

    @Test("facets count values, and say where they were cut off (BRW-11)")
    func facetsCountValuesAndSayWhereTheyWereCutOff() async throws {
        let answers = BrowserAnswers(try Self.stack())
        let whole = try await answers.json(
            "/stores/1/entities/Note/facets?keys=colour&milliseconds=10000&where=rank%3C100")
        let colours = whole["facets"][0]
        #expect(colours["complete"].flag == true && colours["values"].list.count == 10)
        #expect(colours["values"].list.compactMap { $0["count"].number }.reduce(0, +) == 100)
        let many = try await answers.json("/stores/1/entities/Note/facets?keys=name&milliseconds=10000")
        // All rows are counted, whatever their number: the 50 most frequent are shown.
        #expect(many["facets"][0]["complete"].flag == true && many["facets"][0]["more"].flag == true)
        #expect(many["facets"][0]["values"].list.count == 50)
        let cut = try await answers.json("/stores/1/entities/Note/facets?keys=colour&milliseconds=0")
        #expect(cut["facets"][0]["complete"].flag == false && cut["facets"][0]["counted"].number != nil)
        let refused = try await answers.json("/stores/1/entities/Note/facets?keys=nothing", status: 422)
        #expect(refused["error"]["code"].text == "unknownKey")
    }

    @Test("sections are counted by the store, and begin where the list has them (BRW-07)")
    func sectionsAreCountedByStore() async throws {
        let answers = BrowserAnswers(try Self.stack())
        let sections = try await answers.json("/stores/1/entities/Note/sections?section=colour&sort=rank")["sections"]
        #expect(sections.list.count == 10 && sections[3]["name"].text == "colour 3")
        #expect(sections[3]["offset"].number == 1_500 && sections[3]["count"].number == 500)
        let list = try await answers.json("/stores/1/entities/Note?section=colour&sort=rank&offset=1500&limit=1")
        #expect(list["rows"][0]["values"]["colour"].text == "colour 3")
        let letters = try await answers.json("/stores/1/entities/Note/sections?section=name&letters=yes")["sections"]
        #expect(letters.list.count == 1 && letters[0]["indexTitle"].text == "N")
    }

    @Test("a search finds words in all texts without case and accents (BRW-08)")
    func searchFindsWordsInAllTextsWithoutCaseAndAccents() async throws {
        let answers = BrowserAnswers(try Self.stack())
        let found = try await answers.json("/stores/1/entities/Note?search=C%C3%B3lour&limit=5")
        #expect(found["rows"].list.count == 5)
        let total = try await answers.json("/stores/1/entities/Note/total?search=N%201234")
        #expect(total["total"].number == 1)
    }
}
