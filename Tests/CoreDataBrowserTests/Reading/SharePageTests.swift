import CoreData
import CoreDataBrowser
import StoreContract
import Testing

@Suite("Sharing objects")
struct SharePageTests {
    private func scene(rules: BrowserRules = .everything) throws -> (Stack, BrowserAnswers) {
        let builder = ModelBuilder()
        builder.entity(
            "Person",
            ["firstName": .stringAttributeType, "lastName": .stringAttributeType, "email": .stringAttributeType])
        builder.entity(
            "Event", ["title": .stringAttributeType, "startDate": .dateAttributeType, "endDate": .dateAttributeType])
        builder.entity("Stone", ["weight": .doubleAttributeType])
        let stack = try Stack(builder.model)
        stack.context.insert("Person", ["firstName": "Ann", "lastName": "Archer", "email": "ann@example.org"])
        stack.context.insert("Event", ["title": "Party", "startDate": Date(timeIntervalSinceReferenceDate: 0)])
        stack.context.insert("Stone", ["weight": 2.5])
        try stack.context.save()
        var options = BrowserOptions()
        options.rules = rules
        let browser = Browser(options: options)
        browser.show(stack.coordinator, name: "Test")
        return (stack, BrowserAnswers(browser))
    }

    private func file(_ path: String, _ answers: BrowserAnswers) async throws -> (type: String, text: String) {
        let response = await answers.response(path)
        let bytes = try await response.body.bytes(limit: 1 << 20)
        return (response.headers["Content-Type"] ?? "", String(decoding: bytes, as: UTF8.self))
    }

    @Test("a person has a card, an event a calendar's entry, and all have text, a mail and JSON (MSG-04, MSG-07)")
    func objectsAreSharedByWhatTheyLookLike() async throws {
        let (stack, answers) = try scene()
        let person = try await answers.json("/stores/1/objects/Person/p1/share")
        #expect(person["title"].text == "Ann Archer" && person["forms"].list.compactMap(\.text) == ["json", "card"])
        #expect(person["mail"].text?.hasPrefix("mailto:?subject=Ann%20Archer") == true, "\(person)")
        let card = try await file("/stores/1/objects/Person/p1/share/card", answers)
        #expect(
            card.type.hasPrefix("text/vcard") && card.text.contains("EMAIL") && card.text.contains("ann@example.org"))
        let event = try await answers.json("/stores/1/objects/Event/p1/share")
        #expect(event["forms"].list.compactMap(\.text) == ["json", "event"])
        #expect(try await file("/stores/1/objects/Event/p1/share/event", answers).text.contains("BEGIN:VEVENT"))
        let stone = try await answers.json("/stores/1/objects/Stone/p1/share")
        #expect(stone["forms"].list.compactMap(\.text) == ["json"] && stone["text"].text == "weight: 2.5")
        #expect(try await file("/stores/1/objects/Stone/p1/share/json", answers).text.contains("\"weight\": 2.5"))
        withExtendedLifetime(stack) {}
    }

    @Test("what an object does not look like is not there, and who may not read all shares nothing (MSG-07)")
    func mistakesHaveAStatus() async throws {
        let (stack, answers) = try scene()
        for path in ["Stone/p1/share/card", "Stone/p1/share/picture", "Stone/p9/share", "Stne/p1/share"] {
            _ = try await answers.json("/stores/1/objects/\(path)", status: 404)
        }
        let (other, clerk) = try scene(rules: BrowserRules { _, _, _, key in key != "email" })
        _ = try await clerk.json("/stores/1/objects/Person/p1/share", status: 403)
        _ = try await clerk.json("/stores/1/objects/Person/p1/share/json", status: 403)
        withExtendedLifetime((stack, other)) {}
    }
}
