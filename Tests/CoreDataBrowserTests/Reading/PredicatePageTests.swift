import CoreData
import CoreDataBrowser
import StoreContract
import Testing

@Suite("Predicates in the browser")
struct PredicatePageTests {
    private func page(_ text: String, caret: Bool = false) async throws -> Answer {
        let stack = try Stack(SuperDB.model())
        SuperDB.fill(stack.context)
        try stack.context.save()
        let escaped = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let target = "/stores/1/predicate?entity=Hero&where=\(escaped)" + (caret ? "&caret=\(text.count)" : "")
        return try await BrowserAnswers(stack).json(target)
    }

    @Test(
        "an error is placed at its character (BRW-09)",
        arguments: [("name == == 3", 8), ("name == 'A' AND nome == 'B'", 16), ("birthDate > 'soon'", 0)])
    func errorIsPlacedAtItsCharacter(_ text: String, _ position: Int) async throws {
        let page = try await page(text)
        #expect(page["valid"].flag == false && page["error"]["position"].number == position)
        #expect(page["error"]["reason"].text?.isEmpty == false)
    }

    @Test("a predicate becomes the builder's tree (BRW-10)")
    func predicateBecomesBuildersTree() async throws {
        let tree = try await page(
            "name BEGINSWITH[cd] 'a' OR (NOT sex IN {'Male', 'x'} AND birthDate > '1990-01-01') OR ANY powers.name == 'fire'"
        )["tree"]
        #expect(tree["kind"].text == "or" && tree["parts"].list.count == 3)
        #expect(tree["parts"][0]["operator"].text == "BEGINSWITH" && tree["parts"][0]["options"].text == "cd")
        let and = tree["parts"][1]["parts"]
        #expect(and[0]["parts"][0]["value"].list.map(\.text) == ["Male", "x"])
        #expect(and[1]["value"].text?.hasPrefix("1990-01-01T00:00") == true)
        #expect(tree["parts"][2]["modifier"].text == "ANY" && tree["parts"][2]["key"].text == "powers.name")
        let other = try await page("name == secretIdentity")
        #expect(other["valid"].flag == true && other["tree"].isNull)
    }

    @Test(
        "what can follow is completed from the model and the store (BRW-10)",
        arguments: [
            ("se", ["secretIdentity", "sex"], 0), ("powers.", ["powers.@count", "powers.hero", "powers.name"], 0),
            ("name CONT", ["CONTAINS[cd]"], 5), ("sex == \"", ["\"Female\"", "\"Male\""], 7),
            ("sex == \"F", ["\"Female\""], 7), ("name == 'x' ", ["AND", "OR"], 12),
        ])
    func whatCanFollowIsCompletedFromModelAndStore(_ text: String, _ expected: [String], _ from: Int) async throws {
        let found = try await page(text, caret: true)["completions"].list
        let texts = found.compactMap { $0["text"].text }
        #expect(texts.prefix(expected.count) == expected[...])
        #expect(found.first?["from"].number == from)
    }
}
