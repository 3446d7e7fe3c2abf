import CoreData
import Foundation
import TestBasics
import Testing

@testable import CoreDataBrowser

/// The other sample applications by their property lists, with plain objects.
@Suite("Sample applications by property lists", .serialized)
struct SiblingAppTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func bench(_ name: String) throws -> AppBench { try AppBench("\(name)/App", in: folder) }

    @Test(
        "each sample opens, and only lacks classes that the program does not have (APP-13)",
        arguments: [
            "TemplateProject/App", "RandomDates/App", "RandomPeople/App", "NoteCollector/App", "MyStuff/App",
            "Orders/App",
            "Contacts/App/FirstForm", "Contacts/App/SecondForm", "SimpleWeather/App", "Timeline/App",
        ])
    func eachSampleOpensAndOnlyLacksClassesThatProgram(_ app: String) async throws {
        let bench = try AppBench(app, in: folder)
        let further = bench.app.problems.filter { !$0.text.hasPrefix("the program has no") }
        #expect(further == [])
        #expect(try await bench.list()["total"].text == "0")
    }

    @Test("three times + makes three rows, the newest first, and they are there after a restart (SAMPLE-01)")
    func threeTimesMakesThreeRows() async throws {
        var bench = try bench("TemplateProject")
        let add = try await bench.list()["add"]["kinds"][0]
        #expect(add["label"].text == "Add Event")
        for day in 1...3 {
            let steps = JSONValue.array([Steps.insert("Event", ["timeStamp": .string("2015-05-0\(day)T00:00:00Z")])])
            try await bench.save(steps)
        }
        bench = try self.bench("TemplateProject")
        let list = try await bench.list()
        #expect(list.titles == ["May 3, 2015", "May 2, 2015", "May 1, 2015"])
    }

    @Test("days of the week in sections, by the alphabet and by the week, with their index (SAMPLE-07, APP-03)")
    func daysOfWeekInSections() async throws {
        let bench = try bench("RandomDates")
        let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        let steps = (0..<14).map { day in
            Steps.insert(
                "RandomDate",
                [
                    "dayName": .string(days[day % 7]),
                    "date": .string(ISODate.text(Date(timeIntervalSinceReferenceDate: 518_400 + Double(day) * 86_400))),
                ])
        }
        try await bench.save(.array(steps))
        let byName = try await bench.list("?tab=1")
        #expect(byName["sections"].all.map { $0["name"].text } == days.sorted())
        #expect(byName["index"].all.map(\.text) == ["F", "M", "S", "T", "W"])
        let byWeek = try await bench.list("?tab=2")
        #expect(byWeek["sections"].all.map { $0["name"].text } == days)
        #expect(byWeek["sections"].all.map { $0["offset"].text } == ["0", "2", "4", "6", "8", "10", "12"])
        #expect(byWeek.rows.map { $0["subtitle"].text } == days.flatMap { [$0, $0] })
        let window = try await bench.list("?tab=2&offset=3&limit=4")
        #expect(window.rows.map { $0["section"].text } == ["1", "2", "2", "3"])
    }

    @Test("words find people by first and last name, and scopes by their birth (SAMPLE-08, APP-30, APP-31)")
    func wordsFindPeopleByFirstAndLastName() async throws {
        let bench = try bench("RandomPeople")
        let people = [
            ("John", "Smith", "1980-01-01"), ("Mary", "Jones", "2016-01-01"), ("Adam", "Ali", "1990-01-01"),
        ]
        try await bench.save(
            .array(
                people.map { first, last, born in
                    Steps.insert(
                        "Person",
                        [
                            "firstName": .string(first), "lastName": .string(last), "dateOfBirth": .string(born),
                            "yearOfBirth": .number(String(born.prefix(4))),
                        ])
                }))
        let all = try await bench.list()
        #expect(all.titles == ["Adam Ali", "Mary Jones", "John Smith"])
        #expect(all.rows[0]["subtitle"].text == "Born: Jan 1, 1990")
        #expect(all["scopes"].all.map(\.text) == ["All", "Past", "Future"])
        let found: [(String, [String])] = [
            ("jo%20smit", ["John Smith"]), ("jon%20mary", ["Mary Jones"]), ("jo%20m", ["Mary Jones"]),
            ("%20%20JO%20", ["Mary Jones", "John Smith"]), ("jo%20anything%20smit", ["John Smith"]),
            ("", ["Adam Ali", "Mary Jones", "John Smith"]), ("ali", ["Adam Ali"]), ("x", []),
        ]
        for (text, titles) in found {
            #expect(try await bench.list("?search=\(text)").titles == titles, "\(text)")
        }
        #expect(try await bench.list("?scope=2").titles == ["Mary Jones"])
        #expect(try await bench.list("?scope=1&search=jo").titles == ["John Smith"])
        let years = try await bench.list("?tab=1")["sections"].all.map { $0["name"].text }
        #expect(years == ["1980", "1990", "2016"])
    }

    @Test("collections open lists of what is in them, and notes open forms; + offers both kinds (SAMPLE-09)")
    func collectionsOpenListsOfWhatIsInThem() async throws {
        let bench = try bench("NoteCollector")
        let root = try await bench.list()
        #expect(root["add"]["kinds"].all.map { $0["label"].text } == ["Add Note", "Add Collection"])
        try await bench.save(.array([Steps.insert("Collection", ["itemName": .string("Travel")])]))
        let travel = try await bench.list().rows[0]
        #expect(travel["opens"].text == "list")
        let inside = try await bench.list("?parent=\(travel["id"].text)")
        #expect(inside["title"].text == "Travel")
        #expect(inside["total"].text == "0")
        #expect(inside["add"]["kinds"][0]["values"]["superCollection"].text == travel["id"].text)
        try await bench.save(inside["add"]["kinds"][0]["steps"])
        let note = try await bench.list("?parent=\(travel["id"].text)").rows[0]
        #expect(note["title"].text == "Untitled")
        #expect(note["opens"].text == "form")
        #expect(note["form"].text == "NoteDetail")
        #expect(try await bench.list().titles == ["Travel"])
        try await bench.save(.array([Steps.delete(travel["id"].text)]))
        let gone = try await bench.ask("GET", "/apps/1/forms/NoteDetail/\(note["id"].text)")
        #expect(gone.0 == 404)
    }

    @Test("rows are put in order by hand; a value that is not a number is refused (SAMPLE-13, APP-09, APP-16)")
    func rowsArePutInOrderByHand() async throws {
        let bench = try bench("MyStuff")
        for (place, name) in ["iPhone 4S", "iPad 2", "Lamp"].enumerated() {
            let values: [String: JSONValue] = ["name": .string(name), "orderIndex": .number("\(place)")]
            try await bench.save(.array([Steps.insert("Possession", values)]))
        }
        let moved = try await bench.ask(
            "POST", "/apps/1/lists/0/order", .object([("from", .integer(2)), ("to", .integer(0))]))
        try await bench.save(moved.1["steps"])
        let list = try await bench.list()
        #expect(list.titles == ["Lamp", "iPhone 4S", "iPad 2"])
        let id = list.rows[1]["id"].text
        for text in ["12x", "12.5"] {
            let (status, answer) = try await bench.enter([("value", .string(text))], form: "ItemDetails", id)
            #expect(status == 422)
            #expect(answer["problems"][0]["reason"].text.contains("whole number"))
        }
        try await bench.enter([("value", .string("1,599"))], form: "ItemDetails", id)
        #expect(try await bench.list().rows[1]["subtitle"].text == "1,599")
        let bad = try await bench.ask(
            "POST", "/apps/1/lists/0/order", .object([("from", .integer(9)), ("to", .integer(0))]))
        #expect(bad.0 == 422)
    }
}
