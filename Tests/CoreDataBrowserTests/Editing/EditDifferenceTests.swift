import CoreData
import StoreContract
import TestBasics
import Testing

@testable import CoreDataBrowser

@Suite("What answers to edits have of what is staged")
struct EditDifferenceTests {
    /// A tab that has staged a change of each of so many heroes, and the version that it knows.
    private func staged(_ count: Int) async throws -> (tab: EditingTab, version: Int) {
        let stack = try Stack(SuperDB.model())
        for number in 0..<count { stack.context.insert("Hero", ["name": "Hero \(number)"]) }
        try stack.context.save()
        stack.context.reset()
        let tab = EditingTab(stack)
        try await tab.ask("POST", "bulk", #"{"entity": "Hero", "set": {"sex": "x"}}"#)
        return (tab, try #require(try await tab.edits()["version"].number))
    }

    private func stage(_ tab: EditingTab, since version: Int, _ steps: String) async throws -> Reply {
        try await tab.ask("POST", "edits?since=\(version)", "{\"steps\": [\(steps)]}")
    }

    private static let rename = #"{"do": "set", "object": "Hero/p7", "key": "name", "value": "Seven"}"#

    @Test("one further edit beside 5,000 staged objects is answered with its object, and so are undo and redo (BRW-20)")
    func furtherEditIsAnsweredWithItsObject() async throws {
        let (tab, version) = try await staged(5_000)
        let reply = try await stage(tab, since: version, Self.rename)
        #expect(reply["since"].number == version && reply["count"].number == 5_000 && reply["more"].flag == true)
        #expect(reply["changes"].list.count == 1 && reply["unstaged"].list.isEmpty)
        #expect(reply["changes"][0]["object"].text == "Hero/p7")
        #expect(reply["changes"][0]["properties"].list.compactMap { $0["key"].text } == ["name", "sex"])
        let next = try #require(reply["version"].number)
        #expect(next > version)
        let undone = try await tab.ask("POST", "edits/undo?since=\(next)")
        #expect(undone["changes"].list.count == 1 && undone["since"].number == next)
        #expect(undone["changes"][0]["properties"].list.compactMap { $0["key"].text } == ["sex"])
        let last = try #require(undone["version"].number)
        let redone = try await tab.ask("POST", "edits/redo?since=\(last)")
        #expect(redone["changes"].list.compactMap { $0["object"].text } == ["Hero/p7"])
        let bulk = try await tab.ask("POST", "edits/undo?since=\(version)")
        #expect(bulk["since"].isNull && bulk["changes"].list.count == 1_000, "another version gets all that is shown")
    }

    @Test("what takes the places of objects that are no longer staged is answered where not all were shown (BRW-20)")
    func placesAreFilled() async throws {
        let (tab, _) = try await staged(1_800)
        let first = try await tab.edits()
        #expect(first["changes"].list.count == 1_000 && first["count"].number == 1_800)
        let version = try #require(first["version"].number)
        let gone = (1...3).map(Self.restored).joined(separator: ", ")
        let reply = try await stage(tab, since: version, gone)
        #expect(reply["since"].isNull && reply["count"].number == 1_797)
        let names = reply["changes"].list.compactMap { $0["object"].text }
        #expect(names.count == 1_000 && names.first == "Hero/p4" && names.last == "Hero/p1003")
    }

    @Test("a demand of an object without an inverse is checked when its target is deleted and restored (BRW-20)")
    func oneWayDemandsAreChecked() async throws {
        let builder = ModelBuilder()
        builder.entity("Customer", ["name": .stringAttributeType])
        builder.entity("Order", ["number": .integer64AttributeType])
        builder.relationship("Order.customer", to: "Customer").isOptional = false
        let stack = try Stack(builder.model)
        stack.context.insert("Customer", ["name": "A"])
        try stack.context.save()
        stack.context.reset()
        let tab = EditingTab(stack)
        let inserted = try await tab.ask(
            "POST", "edits",
            #"{"steps": [{"do": "insert", "entity": "Order", "values": {"customer": "Customer/p1"}}]}"#)
        #expect(inserted["problems"].list.isEmpty)
        let version = try #require(inserted["version"].number)
        let deleted = try await stage(tab, since: version, #"{"do": "delete", "object": "Customer/p1"}"#)
        #expect(deleted["problems"].list.compactMap { $0["object"].text } == ["Order/t1"])
        let next = try #require(deleted["version"].number)
        let undone = try await tab.ask("POST", "edits/undo?since=\(next)")
        #expect(!undone["problems"].isNull && undone["problems"].list.isEmpty)
    }

    @Test("what is no longer staged is named, and a step that changes nothing differs in nothing (BRW-20)")
    func whatIsNoLongerStagedIsNamed() async throws {
        let (tab, version) = try await staged(3)
        let inserted = try await stage(
            tab, since: version,
            #"{"do": "insert", "entity": "Power", "values": {"name": "a", "hero": "Hero/p1"}}, \#(Self.restored(2))"#)
        #expect(inserted["changes"].list.compactMap { $0["object"].text } == ["Power/t1", "Hero/p1"])
        #expect(inserted["unstaged"].texts == ["Hero/p2"] && inserted["count"].number == 3)
        let next = try #require(inserted["version"].number)
        let same = try await stage(tab, since: next, Self.restored(2))
        #expect(same["changes"].list.isEmpty && same["unstaged"].list.isEmpty && same["version"].number == next)
        #expect(same["problems"].isNull && same["canUndo"].flag == true)
        let undone = try await tab.ask("POST", "edits/undo?since=\(next)")
        #expect(undone["unstaged"].texts == ["Power/t1"])
        #expect(undone["changes"].list.compactMap { $0["object"].text } == ["Hero/p1", "Hero/p2"])
        let discarded = try await tab.ask("POST", "edits/discard?since=\(undone["version"].number ?? 0)")
        #expect(discarded["since"].isNull && discarded["changes"].list.isEmpty && discarded["count"].number == 0)
    }

    @Test("after a save a tab that knows the version before it is answered with all (BRW-20)")
    func versionBeforeSaveIsAnother() async throws {
        let (tab, version) = try await staged(3)
        try await tab.save()
        let reply = try await stage(tab, since: version, Self.rename.replacing("p7", with: "p1"))
        #expect(reply["since"].isNull && reply["count"].number == 1 && reply["changes"].list.count == 1)
    }

    private static func restored(_ number: Int) -> String {
        #"{"do": "set", "object": "Hero/p\#(number)", "key": "sex", "value": null}"#
    }

    @Test("the versions of a later session are greater, however many the session before it had (BRW-20)")
    func versionsOfLaterSessionAreGreater() throws {
        let stack = try Stack(SuperDB.model())
        let former = StagedChanges(stack.context, StagedNames())
        let first = former.version
        // More versions than milliseconds pass.
        for _ in 0..<100_000 { former.forgetAll() }
        #expect(former.version > first)
        let latter = StagedChanges(stack.newContext(), StagedNames())
        #expect(latter.version > former.version)
        // JavaScript has these numbers exactly.
        #expect(first > 0 && latter.version < 1 << 53)
    }

    @Test("problems are answered where they are others than before (BRW-19)")
    func problemsAreAnsweredWhereTheyAreOthers() async throws {
        let heroes = try SavedHeroes()
        let tab = EditingTab(heroes.stack)
        let alpha = heroes["Alpha"]
        func set(_ object: String, _ key: String, _ value: String, since version: Reply) async throws -> Reply {
            try await stage(
                tab, since: try #require(version["version"].number),
                #"{"do": "set", "object": "\#(object)", "key": "\#(key)", "value": \#(value)}"#)
        }
        let broken = try await set(alpha, "secretIdentity", "null", since: try await tab.edits())
        #expect(broken["problems"].list.compactMap { $0["object"].text } == [alpha])
        let other = try await set(heroes["Bolt"], "name", #""B""#, since: broken)
        #expect(other["problems"].isNull && other["changes"].list.count == 1)
        let restored = try await set(alpha, "secretIdentity", #""Ann Archer""#, since: other)
        #expect(!restored["problems"].isNull && restored["problems"].list.isEmpty)
        #expect(restored["unstaged"].texts == [alpha])
        let all = try await tab.edits()
        #expect(all["problems"].list.isEmpty && all["version"].number == restored["version"].number)
    }

    @Test("a deletion that a rule denies is allowed once the objects in its way are deleted too (BRW-30)")
    func deniedDeletionFollowsOtherObjects() async throws {
        let model = CompanyModel.make()
        model.entitiesByName["Department"]?.relationshipsByName["employees"]?.deleteRule = .denyDeleteRule
        let stack = try Stack(model)
        let department = stack.context.insert("Department", ["name": "D"])
        let employee = stack.context.insert("Employee", ["name": "E", "department": department])
        try stack.context.save()
        let tab = EditingTab(stack)
        let version = try #require(try await tab.edits()["version"].number)
        let denied = try await stage(
            tab, since: version, #"{"do": "delete", "object": "\#(department.objectID.shortText)"}"#)
        #expect(denied["problems"][0]["key"].text == "employees")
        let allowed = try await stage(
            tab, since: denied["version"].number ?? 0,
            #"{"do": "delete", "object": "\#(employee.objectID.shortText)"}"#)
        #expect(!allowed["problems"].isNull && allowed["problems"].list.isEmpty)
    }

    /// What a client has that merges each answer is compared with all that is staged, through random edits, undos and redos.
    @Test("differences add up to what is staged (BRW-20)", arguments: TestSeed.sequences(3, exhaustive: 100))
    func differencesAddUp(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let (tab, version) = try await staged(6)
        var known: [String: String] = [:]
        var last = version
        for change in try await tab.edits()["changes"].list { known[change["object"].text ?? ""] = change.sorted }
        for _ in 0..<40 {
            let hero = "Hero/p\(1 + random.next(below: 6))"
            let body = "{\"steps\": [\(Self.step(hero, &random))]}"
            let path = ["edits", "edits", "edits/undo", "edits/redo"][random.next(below: 4)]
            let request = BrowserRequest(
                method: "POST", target: tab.browser.named("/stores/1/\(path)?since=\(last)"),
                headers: ["X-Tab": tab.name, "Content-Type": "application/json"],
                body: path == "edits" ? BrowserBody(Array(body.utf8)) : .empty, user: BrowserUser(name: "eva"))
            let response = await tab.browser.respond(to: request)
            #expect([200, 409, 422].contains(response.status))
            let bytes = try await response.body.bytes(limit: 1 << 24)
            let reply = Reply(try JSONSerialization.jsonObject(with: Data(bytes)))
            if response.status == 200 {
                #expect(reply["since"].number == last)
                for name in reply["unstaged"].texts { #expect(known.removeValue(forKey: name) != nil) }
                for change in reply["changes"].list { known[change["object"].text ?? ""] = change.sorted }
                last = try #require(reply["version"].number)
                #expect(reply["count"].number == known.count)
            }
            var all: [String: String] = [:]
            let present = try await tab.edits()
            for change in present["changes"].list { all[change["object"].text ?? ""] = change.sorted }
            #expect(all == known && present["version"].number == last)
        }
    }

    private static func step(_ hero: String, _ random: inout SeededRandom) -> String {
        switch random.next(below: 6) {
        case 0: #"{"do": "delete", "object": "\#(hero)"}"#
        case 1: #"{"do": "insert", "entity": "Power", "values": {"hero": "\#(hero)", "name": "x"}}"#
        case 2: #"{"do": "set", "object": "\#(hero)", "key": "powers", "value": []}"#
        case 3: #"{"do": "duplicate", "object": "\#(hero)", "deep": true}"#
        case 4: #"{"do": "insert", "entity": "Power"}, {"do": "delete", "object": "Hero/p77"}"#
        default: #"{"do": "set", "object": "\#(hero)", "key": "sex", "value": "\#(random.next(below: 3))"}"#
        }
    }
}
