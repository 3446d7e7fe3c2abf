import CoreData
import CoreDataBrowser
import StoreContract
import Testing

@Suite("The pages of kinds")
struct KindPageTests {
    private func scene(rules: BrowserRules = .everything) throws -> (Stack, BrowserAnswers) {
        let model = try SuperDB.model(
            """
            <attribute name="email" optional="YES" attributeType="String"/>
            <attribute name="duration" optional="YES" attributeType="Integer 32"/>
            <attribute name="lat" optional="YES" attributeType="Double"/>
            <attribute name="lng" optional="YES" attributeType="Double"/>
            <attribute name="wrong" optional="YES" attributeType="Date">
                <userInfo><entry key="valueKind" value="color"/></userInfo>
            </attribute>
            """)
        let stack = try Stack(model)
        for number in 0..<6 {
            stack.context.insert(
                "Hero",
                ["name": "H\(number)", "email": "h\(number)@example.org", "duration": 90, "lat": 52.5, "lng": 13.4])
        }
        try stack.context.save()
        var options = BrowserOptions()
        options.rules = rules
        let browser = Browser(options: options)
        browser.show(stack.coordinator, name: "Test")
        return (stack, BrowserAnswers(browser))
    }

    @Test("rows and objects say what their values mean, and an entity which kinds it has (BRW-39)")
    func rowsAndObjectsSayWhatValuesMean() async throws {
        let (stack, answers) = try scene()
        let kinds = try await answers.json("/stores/1/kinds/Hero")
        #expect(kinds["uses"].list.map { $0["kind"].text } == ["duration", "mailAddress", "place"])
        #expect(kinds["problems"].list.count == 1 && kinds["problems"][0].text?.contains("wrong") == true)
        #expect(kinds["possible"]["email"].list.contains { $0.text == "telephone" })
        let list = try await answers.json("/stores/1/entities/Hero?keys=name,email,lat&sort=name")
        let row = list["rows"][0]
        #expect(row["kinds"]["email"]["link"].text == "mailto:h0@example.org")
        #expect(row["kinds"]["lat"]["place"][1].real == 13.4, "the longitude is no column")
        #expect(row["kinds"].keys == ["email", "lat"], "what is no column is not read")
        let object = try await answers.json("/stores/1/objects/\(row["id"].text ?? "")")
        let said = object["kinds"].list.first { $0["key"].text == "duration" }
        #expect(said?["reading"]["text"].text == "0:01:30" && said?["origin"].text == "guess")
        withExtendedLifetime(stack) {}
    }

    @Test("an entered text becomes the value to store, and mistakes have a status (BRW-39)")
    func enteredTextsBecomeValues() async throws {
        let tab = EditingTab(try scene().0)
        func post(_ path: String, _ body: String, status: Int = 200) async throws -> Reply {
            try await tab.ask("POST", "kinds/\(path)", body, status: status)
        }
        #expect(try await post("Hero/duration", #"{"text": "1h"}"#)["value"].number == 3_600)
        #expect(try await post("Hero/lng", #"{"text": "48, 2"}"#)["value"].number == 2)
        #expect(
            try await post("Hero/duration", #"{"text": "soon"}"#, status: 422)["error"]["reason"].text?.contains(
                "it is no duration") == true)
        _ = try await post("Hero/name", #"{"text": "x"}"#, status: 404)
        _ = try await post("Heroo/name", #"{"text": "x"}"#, status: 404)
        _ = try await post("Hero/duration", #"{"txt": "x"}"#, status: 422)
    }

    @Test("hidden attributes have no kind (BRW-39)")
    func hiddenAttributesHaveNoKind() async throws {
        let (stack, answers) = try scene(rules: BrowserRules { _, _, _, key in key != "email" })
        let kinds = try await answers.json("/stores/1/kinds/Hero")
        #expect(!kinds["uses"].list.contains { $0["key"].text == "email" })
        #expect(kinds["possible"]["email"].list.isEmpty)
        withExtendedLifetime(stack) {}
    }
}
