import CoreData
import CoreDataBrowser
import StoreContract
import Testing

@Suite("The page of the map")
struct MapPageTests {
    private func scene(rules: BrowserRules = .everything) throws -> (Stack, BrowserAnswers) {
        let model = try SuperDB.model(
            """
            <attribute name="lat" optional="YES" attributeType="Double"/>
            <attribute name="lng" optional="YES" attributeType="Double"/>
            """)
        let stack = try Stack(model)
        for (name, place) in ["Berlin": (52.5, 13.4), "Paris": (48.9, 2.4), "Suva": (-18.1, 178.4)] {
            stack.context.insert("Hero", ["name": name, "lat": place.0, "lng": place.1])
        }
        try stack.context.save()
        var options = BrowserOptions()
        options.rules = rules
        let browser = Browser(options: options)
        browser.show(stack.coordinator, name: "Test")
        return (stack, BrowserAnswers(browser))
    }

    @Test("a map is asked by an address, and its predicate gives the same list (BRW-39)")
    func mapIsAskedByAddress() async throws {
        let (stack, answers) = try scene()
        let map = try await answers.json("/stores/1/map?entity=Hero&box=170,-30,-170,0")
        #expect(map["count"].number == 1 && map["clusters"][0]["object"].text?.hasPrefix("Hero/p") == true)
        #expect(
            map["where"].text
                == "lat BETWEEN {-30, 0} AND (lng BETWEEN {170, 180} OR lng BETWEEN {-180, -170})")
        let all = try await answers.json("/stores/1/map?entity=Hero")
        #expect(all["count"].number == 3 && all["pair"]["longitude"].text == "lng")
        let model = try await answers.json("/stores/1/model")
        let entity = model["entities"].list.first { $0["name"].text == "Hero" }
        #expect(entity?["coordinates"][0]["latitude"].text == "lat")
        withExtendedLifetime(stack) {}
    }

    @Test("mistakes have a status and a reason (BRW-39)")
    func mistakesHaveStatusAndReason() async throws {
        let (stack, answers) = try scene()
        for (query, status) in [
            ("entity=Heroo", 404), ("box=1,2,3,4", 400), ("entity=Hero&box=1", 422), ("entity=Hero&zoom=99", 400),
            ("entity=Hero&zoom=-1", 400), ("entity=Power", 422), ("entity=Hero&where=name%20==", 422),
            ("entity=Hero&latitude=name", 422),
        ] {
            let answer = try await answers.json("/stores/1/map?\(query)", status: status)
            #expect(answer["error"]["reason"].text?.isEmpty == false)
        }
        withExtendedLifetime(stack) {}
    }

    @Test("hidden coordinates are on no map (BRW-39, BRW-53)")
    func hiddenCoordinatesAreOnNoMap() async throws {
        let (stack, answers) = try scene(rules: BrowserRules { _, _, _, key in key != "lng" })
        let answer = try await answers.json("/stores/1/map?entity=Hero", status: 422)
        #expect(answer["error"]["hint"].text?.contains("lng,") != true)
        let model = try await answers.json("/stores/1/model")
        let entity = model["entities"].list.first { $0["name"].text == "Hero" }
        #expect(entity?["coordinates"].list.isEmpty == true)
        withExtendedLifetime(stack) {}
    }
}
