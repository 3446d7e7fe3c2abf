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
        var event = InstrumentEvent(.statement, since: execution.start)
        event.detail = execution.sql
        event.shape = execution.plan
        event.store = execution.file
        event.rows = execution.rows
        event.scanned = execution.scanSteps
        if let values = execution.values { event.values = values.joined(separator: ", ") }
        if execution.sorts > 0 { event.flags = .sorted }
        InstrumentRecorder.record(event, end: execution.end)
    }
}
