import CoreData

/// What scripts take until the browser's first list is shown, in a real web browser: `Benchmarks/Peers/first_view.py`.
///
/// The row is left out, with a word on standard error, where Chromium with its driver is not installed or no script is named.
enum FirstView {
    static let all = [
        Benchmark("BV", size: 1_000) { count, session in
            let name = "BV  scripts of the browser's first list, median of \(runs(session)) pages, ms"
            guard let script = ProcessInfo.processInfo.environment["BENCH_VIEW_SCRIPT"], !script.isEmpty,
                let seconds = try seconds(script, store(session.workbench, count), session)
            else {
                FileHandle.standardError.write(Data("\(name): left out, since Chromium is not installed\n".utf8))
                return []
            }
            return [Row(name: name, value: seconds * 1_000, bar: 100)]
        }
    ]

    /// As the measure is said: the median of ten, unless fewer runs are asked for.
    private static func runs(_ session: Session) -> Int { session.runs < 5 ? session.runs : 10 }

    private static func store(_ bench: Workbench, _ count: Int) throws -> URL {
        let url = bench.place("Viewed")
        let container = try Workbench.open(
            url, Workbench.model("Note", [("title", .stringAttributeType), ("rank", .integer64AttributeType)]))
        let context = container.newBackgroundContext()
        try context.performAndWait {
            let objects = (0..<count).map { ["title": "Note \($0)", "rank": $0] as [String: Any] }
            _ = try context.execute(NSBatchInsertRequest(entityName: "Note", objects: objects))
        }
        try Workbench.close(container)
        return url
    }

    /// The median in seconds; nil where there is no Chromium.
    private static func seconds(_ script: String, _ store: URL, _ session: Session) throws -> Double? {
        let process = Process()
        let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
        let tool = URL(fileURLWithPath: program).resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("coredata")
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script, tool.path, store.path, "Note", String(runs(session))]
        process.environment = ProcessInfo.processInfo.environment
            .merging(["XDG_STATE_HOME": session.workbench.folder.path]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure("the first view could not be measured: \(text)") }
        return Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
