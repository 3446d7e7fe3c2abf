import CoreData
import CoreDataBrowser
import CoreDataTracing
import CoreDataWorkbench
import StoreContract
import TestBasics
import Testing

/// Recordings at the addresses below `/instruments`.
@Suite("Recordings, as the pages answer them", .serialized)
struct InstrumentPageTests {
    /// A recording of a fetch of heroes whose powers are read one by one.
    static func record(into file: URL) throws {
        let stack = try Stack(SuperDB.model())
        for number in 0..<40 {
            let hero = stack.context.insert("Hero", ["name": "Hero \(number)"])
            stack.context.insert("Power", ["name": "Flight", "hero": hero])
        }
        try stack.context.save()
        stack.context.reset()
        stack.context.name = "heroes"
        try CoreDataInstruments.startRecording(to: file)
        defer { CoreDataInstruments.stopRecording() }
        for hero in try stack.context.all("Hero") { _ = (hero.value(forKey: "powers") as? Set<NSManagedObject>)?.count }
        CoreDataInstruments.stopRecording()
    }

    private func browser(_ folder: TemporaryFolder) throws -> BrowserAnswers {
        let browser = Browser()
        for name in ["one.trace", "two.trace"] {
            let file = folder.url.appendingPathComponent(name)
            try Self.record(into: file)
            try browser.openTrace(file)
        }
        return BrowserAnswers(browser)
    }

    @Test("a recording has totals, findings with their cures, a timeline, events and an export (BRW-42, BRW-43)")
    func recordingIsAnswered() async throws {
        let folder = try TemporaryFolder()
        let answers = try browser(folder)
        let list = try await answers.json("/instruments")
        #expect(list["traces"].list.map { $0["name"].text } == ["one.trace", "two.trace"])
        let report = try await answers.json("/instruments/1")
        #expect(report["totals"]["kinds"]["fetch"]["rows"].number == 40)
        #expect(report["totals"]["kinds"]["members"]["count"].number == 40)
        #expect(report["findings"][0]["kind"].text == "repeatedFaults" && report["findings"][0]["key"].text == "powers")
        #expect(report["callTree"]["count"].number ?? 0 > 40)
        let timeline = try await answers.json("/instruments/1/timeline?count=10")
        #expect(timeline["kinds"]["members"]["counts"].list.compactMap(\.number).reduce(0, +) == 40)
        let events = try await answers.json("/instruments/1/events?kind=members&offset=30&limit=20")
        #expect(events["total"].number == 40 && events["events"].list.count == 10)
        #expect(events["events"][0]["facts"]["relationship"].text == "powers")
        #expect(events["events"][0]["facts"]["contextName"].text == "heroes")
        #expect(try await answers.json("/instruments/1/events?context=nobody")["total"].number == 0)
        let compared = try await answers.json("/instruments/1/compare/2")
        #expect(compared["kinds"].named("members")["former"]["count"].number == 40)
        #expect(try await answers.json("/instruments/1/export")["traceEvents"].list.count > 80)
        let request = try await answers.json("/instruments/1/export?format=otlp")
        #expect(request["resourceSpans"].list.count == 1)
    }

    @Test(
        "a trace file that another of the same size replaces, or that is written over, is read again (BRW-42)",
        arguments: [Data.WritingOptions.atomic, []])
    func replacedFileIsReadAgain(_ writing: Data.WritingOptions) async throws {
        let folder = try TemporaryFolder()
        let answers = try browser(folder)
        let file = folder.url.appendingPathComponent("one.trace")
        func context() async throws -> String? {
            let events = try await answers.json("/instruments/1/events?kind=members&limit=1")
            return events["events"][0]["facts"]["contextName"].text
        }
        #expect(try await answers.json("/instruments/1/events?context=heroes")["total"].number ?? 0 > 40)
        #expect(try await context() == "heroes")
        var bytes = try Data(contentsOf: file)
        let size = bytes.count
        while let name = bytes.range(of: Data("heroes".utf8)) { bytes.replaceSubrange(name, with: Data("others".utf8)) }
        try bytes.write(to: file, options: writing)
        #expect(bytes.count == size)
        #expect(try await context() == "others")
        #expect(try await answers.json("/instruments/1/events?context=heroes")["total"].number == 0)
    }

    @Test("the page answers what 'coredata instruments --format json' prints (BRW-42)")
    func pageIsTheCommandsReport() async throws {
        let folder = try TemporaryFolder()
        let answers = try browser(folder)
        let report = TraceReport(try TraceReader.trace(at: folder.url.appendingPathComponent("one.trace")))
        guard case .members(let members) = report.json else { return #expect(Bool(false)) }
        let response = await answers.response("/instruments/1")
        let text = String(decoding: try await response.body.bytes(limit: 1 << 24), as: UTF8.self)
        for member in members { #expect(text.contains("\"\(member.key)\": ")) }
        #expect(text.contains(JSONWriter.line(.string("heroes"))) || !report.findings.isEmpty)
    }

    @Test("recordings that are not there, bad filters and users from whom something is hidden are refused (BRW-42)")
    func recordingsThat() async throws {
        let folder = try TemporaryFolder()
        let answers = try browser(folder)
        #expect(try await answers.json("/instruments/9", status: 404)["error"]["code"].text == "unknownTrace")
        #expect(try await answers.json("/instruments/1/events?kind=none", status: 400)["error"].isNull == false)
        #expect(try await answers.json("/instruments/1/timeline?from=-1", status: 400)["error"].isNull == false)
        #expect(throws: InspectionError.self) {
            try Browser().openTrace(folder.url.appendingPathComponent("missing.trace"))
        }
    }
}
