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
        event.store = execution.path.split(separator: "/").last.map(String.init) ?? ""
        event.rows = execution.rows
        event.scanned = execution.scanSteps
        event.values = execution.values.map { $0.joined(separator: ", ") } ?? ""
        if execution.sorts > 0 { event.flags = .sorted }
        InstrumentRecorder.record(event)
    }
}
