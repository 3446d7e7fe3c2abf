import CoreData
import CoreDataBrowser
import StoreContract
import TestBasics
import Testing

@Suite("Random edits with undo")
struct UndoReferenceTests {
    /// Random calls, undos and redos, with what was staged after each kept beside: going back and forth gives the same.
    @Test(
        "undo and redo of random edits give exactly what was staged before (BRW-22)",
        arguments: TestSeed.sequences(3, exhaustive: 200))
    func randomEdits(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let heroes = try SavedHeroes()
        let tab = EditingTab(heroes.stack)
        let names = ["Alpha", "Bolt", "Cinder", "Dusk", "Echo"].map { heroes[$0] }
        // What was staged at each point that undo leads to, and redo.
        var undoable: [String] = []
        var redoable: [String] = []
        var present = try await tab.edits()["changes"].sorted
        var powers: [String] = []
        for _ in 0..<(TestSeed.isExhaustive ? 400 : 60) {
            switch random.next(below: 10) {
            case 0...2 where !undoable.isEmpty:
                redoable.append(present)
                present = try await tab.ask("POST", "edits/undo")["changes"].sorted
                let expected = undoable.removeLast()
                #expect(present == expected)
            case 3...4 where !redoable.isEmpty:
                undoable.append(present)
                present = try await tab.ask("POST", "edits/redo")["changes"].sorted
                let expected = redoable.removeLast()
                #expect(present == expected)
            case let kind:
                let hero = names[random.next(below: names.count)]
                let power = powers.isEmpty ? hero : powers[random.next(below: powers.count)]
                let refused = #", {"do": "delete", "object": "Hero/p99"}"#
                let step = Self.step(kind, hero, power, &random) + (random.next(below: 4) == 0 ? refused : "")
                let request = BrowserRequest(
                    method: "POST", target: tab.browser.named("/stores/1/edits"),
                    headers: ["X-Tab": tab.name, "Content-Type": "application/json"],
                    body: BrowserBody(Array("{\"steps\": [\(step)]}".utf8)), user: BrowserUser(name: "eva"))
                let response = await tab.browser.respond(to: request)
                // A step may name what is deleted at present.
                #expect([200, 422].contains(response.status))
                let bytes = try await response.body.bytes(limit: 1 << 24)
                let reply = Reply(try JSONSerialization.jsonObject(with: Data(bytes)))
                let next = try await tab.edits()["changes"].sorted
                if response.status == 422 { #expect(next == present) }
                guard next != present else { continue }
                undoable.append(present)
                redoable = []
                present = next
                powers += reply["created"].texts.filter { $0.hasPrefix("Power") }
            }
        }
        while try await tab.edits()["canUndo"].flag == true { try await tab.ask("POST", "edits/undo") }
        let end = try await tab.edits()
        #expect(end["count"].number == 0)
        try await tab.save()
        let context = heroes.stack.newContext()
        let counts = try (context.all("Hero").count, context.all("Power").count)
        #expect(counts == (5, 0))
        for row in SuperDB.rows {
            let identity = try heroes.stored(row.name, "secretIdentity") as? String
            #expect(identity == row.identity)
        }
    }

    private static func step(_ kind: Int, _ hero: String, _ power: String, _ random: inout SeededRandom) -> String {
        switch kind {
        case 5: #"{"do": "delete", "object": "\#(random.next(below: 3) == 0 ? hero : power)"}"#
        case 6: #"{"do": "insert", "entity": "Power", "values": {"hero": "\#(hero)", "name": "x"}}"#
        case 7: #"{"do": "set", "object": "\#(power)", "key": "hero", "value": "\#(hero)"}"#
        case 8: #"{"do": "duplicate", "object": "\#(hero)", "deep": true}"#
        case 9: #"{"do": "set", "object": "\#(hero)", "key": "powers", "value": []}"#
        default: #"{"do": "set", "object": "\#(hero)", "key": "secretIdentity", "value": "\#(random.next(below: 4))"}"#
        }
    }
}
