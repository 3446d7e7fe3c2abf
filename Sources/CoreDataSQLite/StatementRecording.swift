import CoreDataSQL
import SQLiteKit

/// Has recordings told of every statement, while there is one.
enum StatementRecording {
    /// Follows the recorder; called once.
    static func follow() {
        InstrumentRecorder.addFollower { options in
            StatementWatch.current = options.map { options in
                StatementWatch(includingValues: options.includesValues, record)
            }
        }
    }

    private static let record: @Sendable (StatementExecution) -> Void = { execution in
        let (seconds, attoseconds) = execution.duration.components
        let nanoseconds = UInt64(max(0, seconds)) &* 1_000_000_000 &+ UInt64(max(0, attoseconds / 1_000_000_000))
        var event = InstrumentEvent(.statement, lasting: nanoseconds)
        event.detail = execution.sql
        event.shape = execution.plan.joined(separator: "\n")
        event.store = fileName(of: execution.path)
        event.rows = execution.rows
        event.scanned = execution.scanSteps
        event.values = execution.values.map { $0.joined(separator: ", ") } ?? ""
        if execution.sorts > 0 { event.flags = .sorted }
        InstrumentRecorder.record(event)
    }

    /// The name by its bytes: to look for it character by character takes longer than all else that is recorded.
    private static func fileName(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }
}
