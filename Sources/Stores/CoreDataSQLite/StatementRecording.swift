import CoreDataSQL
import SQLiteKit

/// Reports each executed statement to recordings and handlers, while there are any.
enum StatementRecording {
    /// Makes connections follow the recorder's settings; called once.
    static func follow() {
        InstrumentRecorder.addFollower { options in
            StatementWatch.current = options.map { options in
                StatementWatch(
                    includingValues: options.includesValues, includingPlans: options.includesPlans, lockWait: countWait,
                    record)
            }
        }
    }

    private static let countWait: @Sendable (String) -> Void = { CoreDataMetrics.countLockWait(of: $0) }

    private static let record: @Sendable (StatementExecution) -> Void = { execution in
        var event = InstrumentEvent(.statement, since: execution.start)
        event.detail = execution.sql
        event.shape = execution.plan
        event.store = execution.file
        event.rows = execution.rows
        if execution.findsRows { event.found = execution.rows }
        event.scanned = execution.scanSteps
        if let values = execution.values { event.values = values.joined(separator: ", ") }
        if let failure = execution.failure { event.errorType = failure.name }
        if execution.sorts > 0 { event.flags = .sorted }
        InstrumentRecorder.record(event, end: execution.end)
    }
}
