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

    /// What the file had when it was last read, and its state then.
    private struct Known {
        let state: FileState
        let contents: TraceContents
    }

    private let known = Mutex<Known?>(nil)

    init(id: String, name: String, file: URL, recording: ProcessRecording?) {
        (self.id, self.name, self.file, self.recording) = (id, name, file, recording)
    }

    /// The present contents of the file; reading a large file takes long.
    ///
    /// - Throws: `InspectionError` for a file that is missing or damaged.
    func contents() throws -> TraceContents {
        try known.withLock { known in
            // Taken before the file is read: what is written meanwhile is read the next time.
            let state = FileState(file.path)
            if let known, known.state == state { return known.contents }
            let contents = TraceContents(try TraceReader.trace(at: file))
            known = Known(state: state, contents: contents)
            return contents
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
