import CoreData
import CoreDataBrowser
import StoreContract
import TestBasics
import Testing

@Suite("The same answers of the page and the command line")
struct SameAnswerTests {
    /// The tool, which is built beside the tests.
    private static let tool = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
        .resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("coredata")

    /// The heroes in a file that the browser has opened.
    private struct Scene {
        let folder: TemporaryFolder
        let file: URL
        /// A file with the model, for stores that keep none.
        let model: URL?
        let browser = Browser()

        init(
            _ kind: StoreKind = .sqlite, heroModel: NSManagedObjectModel? = nil,
            fill: (NSManagedObjectContext) -> Void = { SuperDB.fill($0) }
        ) throws {
            folder = try TemporaryFolder()
            file = folder.url.appendingPathComponent("Heroes.store")
            let stack = try Stack(heroModel ?? SuperDB.model(), url: file, kind: kind)
            fill(stack.context)
            try stack.context.save()
            try stack.coordinator.remove(stack.store)
            if kind.type != NSSQLiteStoreType {
                let file = folder.url.appendingPathComponent("Heroes.mom")
                try Self.writeModel(file, in: folder.url)
                model = file
            } else {
                model = nil
            }
            try browser.open(file, model: model)
        }

        func page(_ path: String) async throws -> String {
            let request = BrowserRequest(target: "/stores/1/\(path)", user: BrowserUser(name: "eva"))
            let response = await browser.respond(to: request)
            #expect(response.status == 200)
            return String(decoding: try await response.body.bytes(limit: 1 << 26), as: UTF8.self)
        }

        /// Writes the model into a file, from a store that keeps it.
        private static func writeModel(_ file: URL, in folder: URL) throws {
            let keeper = folder.appendingPathComponent("Keeper.sqlite")
            let stack = try Stack(SuperDB.model(), url: keeper)
            try stack.coordinator.remove(stack.store)
            var conversion = try ModelConversion(ModelOrigin(at: keeper), version: nil, to: file)
            try conversion.run()
        }

        func command(_ name: String, _ arguments: [String]) throws -> String {
            let (process, pipe) = (Process(), Pipe())
            process.executableURL = tool
            process.arguments = [name, file.path] + arguments
            process.standardOutput = pipe
            process.standardError = FileHandle.nullDevice
            try process.run()
            let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit(within: .seconds(60))
            #expect(process.terminationStatus == 0)
            return String(decoding: output, as: UTF8.self)
        }
    }

    @Test("the command sql prints what the page answers, as JSON, CSV and lines of JSON (BRW-46, BRW-51)")
    func commandSqlPrintsWhatPageAnswers() async throws {
        let scene = try Scene()
        let sql = "SELECT ZNAME, ZBIRTHDATE, ZSEX, zeroblob(3) b FROM ZHERO WHERE ZNAME > :least ORDER BY ZNAME"
        let query = try #require(sql.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        for form in ["json", "csv", "jsonl"] {
            let page = try await scene.page("sql?query=\(query)&p:least=A&limit=3&format=\(form)")
            let command = try scene.command("sql", [sql, "--parameter", ":least=A", "--limit", "3", "--format", form])
            #expect(page == command && page.contains("Alpha"))
        }
        let schema = try await scene.page("sql/schema")
        #expect(try schema == scene.command("sql", ["--schema", "--format", "json"]) && schema.contains("birthDate"))
    }

    @Test(
        "the command chart prints what the page answers, as JSON, CSV and a drawing (BRW-45, BRW-51)",
        arguments: [StoreKind.sqlite, .xml])
    func commandChartPrintsWhatPageAnswers(_ kind: StoreKind) async throws {
        let scene = try Scene(kind)
        let model = scene.model.map { ["--model", $0.path] } ?? []
        for form in ["json", "csv", "svg"] {
            let page = try await scene.page(
                "console?entity=Hero&where=name%20%3E%20'A'&group=birthDate@year,sex&aggregate=count,max:name&having=count%20%3E%200&sort=-count&limit=3&kind=bar&format=\(form)"
            )
            let command = try scene.command(
                "chart",
                [
                    "Hero", "--where", "name > 'A'", "--group", "birthDate@year,sex", "--aggregate", "count",
                    "--aggregate", "max:name",
                    "--having", "count > 0", "--sort", "-count", "--limit", "3", "--kind", "bar", "--format", form,
                ] + model)
            #expect(page == command && page.contains("1980"))
        }
    }

    @Test("the command map prints what the page answers (BRW-39, BRW-51)")
    func commandMapPrintsWhatPageAnswers() async throws {
        let scene = try Scene(heroModel: MapViewTests.model(), fill: MapViewTests.fill)
        let page = try await scene.page("map?entity=Hero&where=name%20!=%20'B1'&box=-20,30,60,70&zoom=3")
        let command = try scene.command(
            "map", ["Hero", "--where", "name != 'B1'", "--box", "-20,30,60,70", "--zoom", "3", "--format", "json"])
        #expect(page == command && page.contains("\"count\": 39"), "\(page)")
    }
}
