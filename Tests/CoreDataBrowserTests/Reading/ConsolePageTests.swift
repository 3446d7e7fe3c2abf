import CoreData
import CoreDataBrowser
import StoreContract
import Testing

@Suite("The page of the fetch console")
struct ConsolePageTests {
    private struct Scene {
        private let heroes: HeroScene
        private var answers: BrowserAnswers { heroes.answers }

        init(_ kind: StoreKind = .sqlite, rules: BrowserRules = .everything) throws {
            heroes = try HeroScene(kind, rules: rules)
        }

        func json(_ query: String, status: Int = 200, sourceLocation: SourceLocation = #_sourceLocation) async throws
            -> Answer
        {
            try await answers.json("/stores/1/console?\(query)", status: status, sourceLocation: sourceLocation)
        }

        func response(_ query: String) async -> BrowserResponse { await answers.response("/stores/1/console?\(query)") }
    }

    @Test("any store is asked by an address (BRW-45)", arguments: StoreKind.all)
    func anyStoreIsAskedByAddress(_ kind: StoreKind) async throws {
        let scene = try Scene(kind)
        let page = try await scene.json("entity=Hero&group=sex&aggregate=count,max:name&sort=sex&limit=2")
        #expect(page["rows"].list.map { $0[0].text } == [nil, "Female"] && page["complete"].flag == false)
        #expect(page["columns"].list.map { $0["name"].text } == ["sex", "count", "max_name"])
        let decades = try await scene.json("entity=Hero&group=birthDate@year&where=birthDate%20!=%20nil")
        #expect(
            decades["rows"].list.map { "\($0[0].text ?? ""):\($0[1].number ?? 0)" } == ["1975:1", "1980:2", "1990:1"])
        let svg = await scene.response("entity=Hero&group=sex&kind=bar&format=svg")
        #expect(svg.status == 200 && svg.headers["Content-Type"] == "image/svg+xml; charset=utf-8")
    }

    @Test("one question answers rows and drawing, or why it cannot be drawn (BRW-45)")
    func oneQuestionAnswersRowsAndDrawing() async throws {
        let scene = try Scene()
        let page = try await scene.json("entity=Hero&group=sex&kind=bar&drawing=yes")
        #expect(page["drawing"].text?.hasPrefix("<svg ") == true && page["rows"].list.count == 3)
        #expect(try await scene.json("entity=Hero&group=sex&kind=bar")["drawing"].isNull)
        let none = try await scene.json("entity=Hero&group=name&aggregate=max:name&kind=scatter&drawing=yes")
        #expect(none["drawing"].isNull && none["rows"].list.count == 5)
        #expect(none["drawingProblem"]["reason"].text?.isEmpty == false)
    }

    @Test("mistakes have a status and a reason (BRW-45)")
    func mistakesHaveStatusAndReason() async throws {
        let scene = try Scene()
        for (query, status) in [
            ("entity=Heroo", 404), ("group=sex", 400), ("entity=Hero&group=nome", 422),
            ("entity=Hero&where=name%20==", 422),
            ("entity=Hero&group=sex&having=count%20%3E", 422), ("entity=Hero&kind=pie", 400),
            ("entity=Hero&limit=0", 400),
            ("entity=Hero&group=sex&kind=table&format=svg", 422),
            ("entity=Hero&group=name&having=count%20%3E%20'a'%20%2B%201", 422),
        ] {
            let answer = try await scene.json(query, status: status)
            #expect(answer["error"]["reason"].text?.isEmpty == false)
        }
    }

    @Test("what a user may not see is in no answer and no condition (BRW-45, BRW-53)")
    func whatUserMayNotSeeIsInNoAnswerAndNoCondition() async throws {
        let scene = try Scene(
            rules: BrowserRules { user, _, entity, key in
                user?.name == "boss" || (key != "secretIdentity" && entity != "Power")
            })
        for query in [
            "group=secretIdentity", "aggregate=max:secretIdentity", "group=sex&having=max(secretIdentity)%20%3E%20'A'",
            "where=secretIdentity%20==%20'x'", "group=sex&sort=secretIdentity",
        ] {
            let answer = try await scene.json("entity=Hero&\(query)", status: 422)
            #expect(answer["error"]["hint"].text?.contains("secretIdentity") != true)
        }
        _ = try await scene.json("entity=Power", status: 404)
        #expect(try await scene.json("entity=Hero&group=sex")["rows"].list.count == 3)
    }
}
