import CoreData
import StoreContract
import TestBasics
import Testing

/// `coredata instruments`, run as a process.
@Suite(.serialized) struct InstrumentsTests {
    private func recording(_ name: String = "a.trace") throws -> (folder: TemporaryFolder, path: String) {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent(name)
        let stack = try Stack(HeroModel.make())
        for number in 0..<30 {
            let hero = stack.context.insert("Hero", ["name": "Hero \(number)"])
            stack.context.insert("Power", ["name": "Flight", "hero": hero])
        }
        try stack.context.save()
        stack.context.reset()
        try CoreDataInstruments.startRecording(to: file)
        defer { CoreDataInstruments.stopRecording() }
        for hero in try stack.context.all("Hero") { _ = (hero.value(forKey: "powers") as? Set<NSManagedObject>)?.count }
        CoreDataInstruments.stopRecording()
        return (folder, file.path)
    }

    @Test("a report names the fault storm with its call site and the prefetch that cures it (BRW-42, TOOL-20)")
    func reportNamesTheCure() throws {
        let (folder, path) = try recording()
        defer { withExtendedLifetime(folder) {} }
        let table = try Tool.run("instruments", path)
        #expect(table.code == 0 && table.errors == "", "\(table.errors)")
        #expect(table.output.contains("repeatedFaults: After one fetch of 'Hero'"))
        #expect(table.output.contains("request.relationshipKeyPathsForPrefetching = [\"powers\"]"))
        let json = try Tool.run("instruments", path, "--format", "json", "--compare", path, "--events", "--limit", "3")
        let report = try json.json(as: [String: Any].self)
        #expect(Set(report.keys) == ["trace", "selected", "totals", "findings", "callTree", "comparison", "events"])
        #expect((report["events"] as? [Any])?.count == 3)
        #expect(json.errors.contains("--limit N shows more"))
        let some = try Tool.run("instruments", path, "--kind", "members", "--entity", "Hero", "--format", "json")
        #expect(try some.json(as: [String: Any].self)["selected"] as? Int == 30)
    }

    @Test("an export is JSON that trace viewers read (TOOL-20)")
    func exportIsWritten() throws {
        let (folder, path) = try recording()
        let target = folder.url.appendingPathComponent("events.json")
        #expect(try Tool.run("instruments", path, "--export", target.path).code == 0)
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: target)) as? [String: Any]
        #expect((object?["traceEvents"] as? [Any])?.count ?? 0 > 60)
    }

    @Test("an export for collectors is one request in a line, with the statements within the fetch (TOOL-20)")
    func collectorExportIsWritten() throws {
        let (folder, path) = try recording()
        let target = folder.url.appendingPathComponent("spans.jsonl")
        #expect(try Tool.run("instruments", path, "--otlp", target.path).code == 0)
        let text = try String(contentsOf: target, encoding: .utf8)
        #expect(text.hasPrefix("{\"resourceSpans\":[") && text.split(separator: "\n").count == 1)
        #expect(
            text.contains("\"name\":\"fetch Hero\",\"kind\":1") && text.contains("\"name\":\"SELECT ZHERO\",\"kind\":3")
        )
        let nothing = folder.url.appendingPathComponent("nothing.jsonl")
        #expect(try Tool.run("instruments", path, "--otlp", nothing.path, "--entity", "Nobody").code == 0)
        #expect(try Data(contentsOf: nothing).isEmpty)
    }

    @Test("a file that is not a trace, a cut trace and an unknown process are reported (BRW-42)")
    func badTraces() throws {
        let (folder, path) = try recording()
        expectRefusal(try Tool.run("instruments", folder.url.path + "/none"), containing: "none")
        expectRefusal(try Tool.run("instruments", Tool.url.path), containing: "it is not a trace file")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: path))
        let cut = try Tool.run("instruments", path)
        #expect(cut.code == 0 && cut.errors.contains("was cut off"))
        let runtime = ["XDG_RUNTIME_DIR": folder.url.path]
        let missing = try Tool.run(["instruments", "999999999"], environment: runtime)
        expectRefusal(missing, containing: "OPENCOREDATA_INSTRUMENTS=1")
        #expect(try Tool.run("instruments", path, "--for", "x").code == 0)
        #expect(try Tool.run("instruments", path, "--from", "x").code == 2)
    }

    @Test("a program that can be recorded is listed and recorded while it runs, and its end is reported (BRW-42)")
    func processIsRecorded() throws {
        // A socket's path must be short.
        let runtime = URL(fileURLWithPath: "/tmp/ocd-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: runtime, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: runtime) }
        let environment = ["XDG_RUNTIME_DIR": runtime.path]
        #expect(
            try Tool.run(["instruments"], environment: environment).output.contains(
                "No running process can be recorded"))
        let store = runtime.appendingPathComponent("Heroes.sqlite")
        let stack = try Stack(HeroModel.make(), url: store)
        stack.context.insert("Hero", ["name": "One"])
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        let program = Process()
        program.executableURL = Tool.url
        program.arguments = ["browse", store.path, "--no-open", "--port", "0"]
        program.environment = ProcessInfo.processInfo.environment.merging(
            environment.merging(["OPENCOREDATA_INSTRUMENTS": "1", "XDG_STATE_HOME": runtime.path]) { $1 }
        ) { $1 }
        program.standardOutput = FileHandle.nullDevice
        program.standardError = FileHandle.nullDevice
        try program.run()
        defer { program.terminate() }
        let number = "\(program.processIdentifier)"
        var listed = ""
        for _ in 0..<600 where !listed.contains(number) {
            listed = try Tool.run(["instruments"], environment: environment).output
            if !listed.contains(number) { Thread.sleep(forTimeInterval: 0.05) }
        }
        #expect(listed.contains(number), "\(listed)")
        let trace = runtime.appendingPathComponent("b.trace").path
        let recorded = try Tool.run(
            ["instruments", number, "--for", "0.2", "--record", trace], environment: environment)
        #expect(recorded.code == 0 && recorded.errors.contains("recording process \(number)"), "\(recorded.errors)")
        #expect(FileManager.default.fileExists(atPath: trace))
        // The program ends while it is watched.
        let errors = runtime.appendingPathComponent("errors")
        try Data().write(to: errors)
        let watched = runtime.appendingPathComponent("c.trace").path
        let watching = try Child(
            ["instruments", number, "--for", "50", "--record", watched], of: Tool.url, environment: environment,
            errors: FileHandle(forWritingTo: errors))
        func said() -> String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }
        eventually("the recording of process \(number)") { said().contains("recording process \(number)") }
        // The header of the trace comes from the program too.
        eventually("the trace of process \(number)") {
            FileManager.default.contents(atPath: watched)?.isEmpty == false
        }
        kill(program.processIdentifier, SIGKILL)
        _ = watching.lines()
        #expect(watching.status() == 0 && said().contains("the process has ended"), "\(said())")
        program.waitUntilExit()
        let socket = runtime.appendingPathComponent("opencoredata/\(number).sock").path
        #expect(FileManager.default.fileExists(atPath: socket), "a process that is killed leaves its socket")
        #expect(
            try Tool.run(["instruments"], environment: environment).output.contains(
                "No running process can be recorded"))
        #expect(!FileManager.default.fileExists(atPath: socket))
    }

    @Test("without a folder for sockets a program that says so warns, and goes on (BRW-42)")
    func missingFolderIsWarnedOf() throws {
        let folder = try TemporaryFolder()
        let store = folder.url.appendingPathComponent("Heroes.sqlite")
        let stack = try Stack(HeroModel.make(), url: store)
        stack.context.insert("Hero", ["name": "One"])
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        let outcome = try Tool.run(
            ["fetch", store.path, "Hero", "--count"],
            environment: ["XDG_RUNTIME_DIR": "", "OPENCOREDATA_INSTRUMENTS": "1"])
        #expect(outcome.code == 0 && outcome.output.contains("1"), "\(outcome.errors)")
        #expect(outcome.errors.contains("XDG_RUNTIME_DIR is not set"), "\(outcome.errors)")
        let list = try Tool.run("instruments", environment: ["XDG_RUNTIME_DIR": ""])
        #expect(list.code != 0 && list.errors.contains("names the folder for the sockets"), "\(list.errors)")
    }
}
