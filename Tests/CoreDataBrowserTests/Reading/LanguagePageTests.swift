import CoreData
import CoreDataBrowser
import StoreContract
import Testing

@Suite struct LanguagePageTests {
    private func speech(
        _ query: String = "", accept: String = "", option: String? = nil
    ) async throws -> Answer {
        var options = BrowserOptions()
        options.language = option
        let answers = BrowserAnswers(Browser(options: options))
        let headers: BrowserHeaders = accept.isEmpty ? [:] : ["Accept-Language": accept]
        let request = BrowserRequest(
            target: "/language" + query, headers: headers, user: BrowserUser(name: "eva"))
        let response = await answers.browser.respond(to: request)
        #expect(response.status == 200)
        return Answer(try JSONSerialization.jsonObject(with: Data(try await response.body.bytes(limit: 1 << 20))))
    }

    @Test("the language of the page is the chosen one, that of the run, or what the browser asks for (L10N-02)")
    func chosen() async throws {
        let asked = try await speech(accept: "zh-CN, fr-CA;q=0.9, de;q=0.5")
        #expect(
            asked["language"].text == "fr" && asked["locale"].text?.hasPrefix("fr-CA") == true
                && asked["direction"].text == "ltr")
        let run = try await speech(accept: "fr", option: "de-AT")
        #expect(run["language"].text == "de" && run["locale"].text?.hasPrefix("de-AT") == true)
        let set = try await speech("?language=ar&formats=", accept: "fr", option: "de")
        #expect(set["language"].text == "ar" && set["direction"].text == "rtl")
        #expect(set["languages"].list.map { $0[0].text } == ["en", "de", "fr", "ar"])
        #expect(try await speech("?language=no+tag!", accept: "FR")["language"].text == "fr")
        #expect(try await speech(accept: String(repeating: "x,", count: 50_000))["language"].text == "en")
    }

    @Test("English has plain forms, another language those of its region, and any page those that are chosen (L10N-02)")
    func formats() async throws {
        let english = try await speech(accept: "en-GB,en;q=0.9")
        #expect(english["formats"].isNull && english["locale"].text == "en-GB")
        let german = try await speech(accept: "de")
        #expect(
            german["formats"]["locale"].text?.hasPrefix("de") == true
                && !german["formats"]["dates"]["medium-short"].isNull)
        let american = try await speech("?language=de&formats=en-US")
        #expect(american["language"].text == "de" && american["locale"].text?.hasPrefix("en-US") == true)
        #expect(american["formats"]["units"]["kilometer"]["options"]["unit"].text == "mile")
        let egyptian = try await speech("?language=ar-EG")
        #expect(egyptian["formats"]["numbers"]["exact"]["maximumFractionDigits"].number == 20)
    }

    @Test("the model's report has its names for people and the styles of attributes (L10N-04)")
    func names() async throws {
        let builder = ModelBuilder()
        let hero = builder.entity("Hero", ["name": .stringAttributeType, "height": .doubleAttributeType])
        hero.attributesByName["height"]?.userInfo = ["displayStyle": "meter"]
        builder.model.localizationDictionary = ["Entity/Hero": "Held", "Property/name/Entity/Hero": "Name"]
        let stack = try Stack(builder.model)
        let entity = try await BrowserAnswers(stack).json("/stores/1/model")["entities"].named("Hero")
        #expect(entity["title"].text == "Held" && entity["attributes"].named("name")["title"].text == "Name")
        #expect(entity["attributes"].named("height")["title"].isNull)
        #expect(entity["attributes"].named("height")["style"].text == "meter")
    }
}
