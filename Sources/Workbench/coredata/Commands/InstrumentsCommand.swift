import CoreDataJobs
import CoreDataPrinting
import CoreDataTracing
import CoreDataWorkbench

/// `instruments`: records what a running program does with Core Data, and reports on a recording.
struct InstrumentsCommand: Command {
    let syntax = CommandSyntax(
        name: ["instruments"],
        summary: "Records what a program does with Core Data, and reports what takes long and how to correct it.",
        operands: [
            CommandOperand(
                name: "PID|FILE",
                help:
                    "A process to record, or a trace to report on; without it the processes that can be recorded are listed.",
                isOptional: true)
        ],
        options: [
            Option("for", value: "SECONDS", help: "How long to record a process; until Ctrl-C by default."),
            Option("record", value: "FILE", help: "Where to keep the trace of a process."),
            Option(
                "export", value: "FILE.json", help: "Write the events for Chrome's tracing or Perfetto too."),
            Option(
                "otlp", value: "FILE.jsonl",
                help: "Write the events as spans for OpenTelemetry too: OTLP/JSON, in lines."),
            Option("compare", value: "FILE", help: "Print what differs from this trace."),
            Option("context", value: "NAME|N", help: "Only events of the context with this name or number."),
            Option("queue", value: "NAME", help: "Only events of this queue: main, or a label."),
            Option("entity", value: "NAME", help: "Only events of this entity."),
            Option(
                "kind", value: "KIND", help: "Only events of this kind.",
                choices: InstrumentEvent.Kind.allCases.map(\.name)),
            Option("from", value: "SECONDS", help: "Only what happened after this time since the first event."),
            Option("to", value: "SECONDS", help: "Only what happened before it."),
            Option("events", help: "Print the events themselves, at most --limit of them."),
            Option(
                "limit", value: "N", help: "The greatest number of events; \(Self.usualEvents) by default."),
            .progress, .noProgress, .format([.table, .json]),
        ],
        details: [
            "A program can be recorded when it is started with OPENCOREDATA_INSTRUMENTS=1 in its environment or as launch argument "
                + "-OPENCOREDATA_INSTRUMENTS 1, or calls CoreDataInstruments.offer(). It must be of the same user. "
                + "CoreDataInstruments.startRecording(to:) writes a trace without this tool.",
            "Found are repeated faults with the key path to prefetch, full scans with the index, saves of what did not "
                + "change, and contexts that hold too many objects. Values are never recorded unless the program says so.",
            "A line of --otlp is a request that a collector takes at /v1/traces: statements are spans with db.system.name, "
                + "db.namespace, db.query.summary and db.query.text, fetches, saves and faults those around them.",
            "json is {\"trace\", \"selected\", \"totals\", \"findings\", \"callTree\"}, as GET /instruments/TRACE of the browser; times "
                + "are in nanoseconds. With --compare it has \"comparison\" too, with --events \"events\".",
        ])

    private static let usualEvents = 1_000

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let printer = InstrumentsPrinter(output: output)
        guard let subject = arguments.operands.first else {
            return printer.print(try InstrumentedProcess.all(), arguments.format)
        }
        let filter = try filter(arguments)
        if let number = Int32(subject), number > 0, !FileManager.default.fileExists(atPath: subject) {
            return try record(number, arguments: arguments, filter: filter, printer: printer)
        }
        try report(arguments.path(0), arguments: arguments, filter: filter, printer: printer)
    }

    private func record(
        _ process: Int32, arguments: Arguments, filter: TraceFilter, printer: InstrumentsPrinter
    ) throws {
        let time = try arguments.seconds("for")
        let folder = try TemporaryTraces()
        defer { withExtendedLifetime(folder) {} }
        let file = arguments["record"].map { URL(fileURLWithPath: $0) } ?? folder.file
        let recording = try ProcessRecording(of: process, into: file)
        let signal = FollowSignal()
        let interruption = Interruption(signal.end)
        defer { interruption.end() }
        StandardError.write(
            "\(Release.name): recording process \(process)\(time == nil ? "; Ctrl-C ends it" : "")")
        let end = time.map { ContinuousClock.now + .seconds($0) }
        while !signal.isEnded, !recording.isFinished, end.map({ ContinuousClock.now < $0 }) ?? true {
            Thread.sleep(forTimeInterval: 0.05)
        }
        let ended = recording.isFinished
        do {
            try recording.stop()
        } catch {
            // What was recorded before is shown all the same.
            try? report(file, arguments: arguments, filter: filter, printer: printer)
            throw error
        }
        if ended { StandardError.write("\(Release.name): warning: the process has ended, or ended the recording") }
        try report(file, arguments: arguments, filter: filter, printer: printer)
    }

    private func report(
        _ file: URL, arguments: Arguments, filter: TraceFilter, printer: InstrumentsPrinter
    ) throws {
        let trace = try arguments.progress("reading the trace").showing { _ in try TraceReader.trace(at: file) }
        for note in trace.notes { StandardError.write("\(Release.name): warning: \(PrintableText.escaped(note))") }
        if trace.dropped > 0 {
            StandardError.write("\(Release.name): warning: the process had no room for \(trace.dropped) events")
        }
        let report = TraceReport(trace, filter: filter)
        let comparison = try arguments["compare"].map { path in
            let other = try TraceReader.trace(at: URL(fileURLWithPath: path))
            return TraceComparison((other, filter.selection(in: other)), (trace, report.selection))
        }
        if let path = arguments["export"] { try write(to: path, TraceEventExport(trace).write, report.selection) }
        if let path = arguments["otlp"] { try write(to: path, OTLPExport(trace).write, report.selection) }
        let limit = try arguments["limit"] == nil ? Self.usualEvents : arguments.number("limit")
        let events = arguments.has("events") ? Array(report.selection.prefix(limit)) : nil
        printer.print(report, comparison: comparison, events: events, format: arguments.format)
        if let events, events.count < report.selection.count {
            StandardError.write(
                "\(Release.name): warning: there are \(report.selection.count) events; --limit N shows more")
        }
    }

    private func write(
        to path: String, _ export: ([Int32], (String) throws -> Void) throws -> Void, _ selection: [Int32]
    ) throws {
        let file = try OutputFile(path)
        try export(selection) { text in
            var text = text
            try text.withUTF8 { try file.write(UnsafeRawBufferPointer($0)) }
        }
        try file.finish()
    }

    private func filter(_ arguments: Arguments) throws -> TraceFilter {
        var filter = TraceFilter()
        filter.context = arguments["context"]
        filter.queue = arguments["queue"]
        filter.entity = arguments["entity"]
        filter.kind = InstrumentEvent.Kind.allCases.first { $0.name == arguments["kind"] }
        filter.from = try arguments.seconds("from").map { UInt64($0 * 1e9) }
        filter.to = try arguments.seconds("to").map { UInt64($0 * 1e9) }
        return filter
    }
}

extension Arguments {
    /// The value of an option that is a number of seconds; nil if it was not given.
    fileprivate func seconds(_ option: String) throws -> Double? {
        guard let text = self[option] else { return nil }
        guard let seconds = Double(text), seconds >= 0, seconds <= 1_000_000 else {
            throw error("--\(option) takes seconds, at least 0 and at most 1000000, not '\(text)'")
        }
        return seconds
    }
}

/// A temporary folder for a trace that is not kept.
private final class TemporaryTraces {
    private let folder: URL
    var file: URL { folder.appendingPathComponent("process.trace") }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        // If removing fails, the system removes the files when it clears the temporary folder.
        try? FileManager.default.removeItem(at: folder)
    }
}
