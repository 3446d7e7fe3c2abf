import CoreData
import Synchronization

/// The recordings that the browser shows: trace files that it was given, and processes that it records.
///
/// Invariant: a file is read again only after it was written or replaced, see `FileState`.
package final class TraceRegistry: Sendable {
    private let traces = NumberedList<ShownTrace>()

    /// The recordings, in the order in which they were added.
    package var shown: [ShownTrace] { traces.all }

    /// Shows a trace file.
    ///
    /// - Throws: `InspectionError` for what is not a trace.
    package func show(_ file: URL) throws {
        _ = try TraceReader.trace(at: file)
        traces.add { ShownTrace(id: $0, name: file.lastPathComponent, file: file, recording: nil) }
    }

    /// Begins to record a process into the temporary folder.
    ///
    /// - Throws: `InspectionError` for a process that cannot be recorded.
    package func record(_ process: Int32) throws -> ShownTrace {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let file = folder.appendingPathComponent("\(process).trace")
        do {
            let recording = try ProcessRecording(of: process, into: file)
            return traces.add { ShownTrace(id: $0, name: "PID \(process)", file: file, recording: recording) }
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    /// The recording of a name in addresses.
    ///
    /// - Throws: `BrowserFailure` 404.
    package func trace(_ id: String) throws -> ShownTrace {
        guard let trace = traces[id] else {
            throw BrowserFailure(
                404, code: "unknownTrace", reason: "no recording has the number '\(id)'",
                hint: "the list is at /instruments")
        }
        return trace
    }

    deinit {
        for trace in traces.all where trace.recording != nil {
            try? trace.recording?.stop()
            try? FileManager.default.removeItem(at: trace.file.deletingLastPathComponent())
        }
    }
}

/// One recording that the browser shows. May be used from any thread.
package final class ShownTrace: Identifiable, Sendable {
    package let id: String
    package let name: String
    package let file: URL
    /// Records the process into the file; nil for a trace file that was given.
    package let recording: ProcessRecording?

    private struct Known: Sendable {
        let state: FileState
        let trace: Trace
        var symbols: TraceSymbols?
        /// The numbers of the events that match recently used filters: a view that scrolls asks for the same ones
        /// repeatedly.
        var selections: [(filter: TraceFilter, numbers: [Int32])] = []
    }

    private static let mostSelections = 4

    private let known = Mutex<Known?>(nil)

    init(id: String, name: String, file: URL, recording: ProcessRecording?) {
        (self.id, self.name, self.file, self.recording) = (id, name, file, recording)
    }

    /// The present contents of the file; reading a large file takes long.
    ///
    /// - Throws: `InspectionError` for a file that is missing or damaged.
    func trace() throws -> Trace {
        try known.withLock { known in
            // Taken before the file is read: what is written meanwhile is read the next time.
            let state = FileState(file.path)
            if let known, known.state == state { return known.trace }
            let trace = try TraceReader.trace(at: file)
            known = Known(state: state, trace: trace, symbols: nil)
            return trace
        }
    }

    /// The names of functions in a trace, looked up once.
    func symbols(of trace: Trace) -> TraceSymbols {
        known.withLock { known in
            if let symbols = known?.symbols, known?.trace.records.count == trace.records.count { return symbols }
            let symbols = TraceSymbols(trace)
            known?.symbols = symbols
            return symbols
        }
    }

    /// The numbers of the events that match a filter.
    func selection(_ filter: TraceFilter, of trace: Trace) -> [Int32] {
        known.withLock { known in
            let isCurrent = known?.trace.records.count == trace.records.count
            if isCurrent, let found = known?.selections.first(where: { $0.filter == filter }) { return found.numbers }
            let numbers = filter.selection(in: trace)
            guard isCurrent else { return numbers }
            if (known?.selections.count ?? 0) >= Self.mostSelections { known?.selections.removeFirst() }
            known?.selections.append((filter, numbers))
            return numbers
        }
    }

    /// `{"id", "name", "recording", "problem"}`; `problem` says why the trace could not be written to the file.
    var summary: JSONValue {
        .object([
            ("id", .string(id)), ("name", .string(name)),
            ("recording", .bool(recording.map { !$0.isFinished } ?? false)),
            ("problem", .text(recording?.failure?.cause)),
        ])
    }
}
