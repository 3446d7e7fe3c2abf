import CoreDataSQL
import PostgresKit

/// Reports the statements of every round trip to recordings and handlers, while there are any.
enum RoundTripReporting {
    /// Makes connections follow the recorder's settings; further calls do nothing.
    static func install() { installed }

    private static let installed: Void = InstrumentRecorder.addFollower { options in
        PostgresWatch.current = options == nil ? nil : report
    }

    private static let report: @Sendable (PostgresExecution) -> Void = { execution in
        var event = InstrumentEvent(.statement, since: execution.start)
        event.flags = .postgreSQL
        if InstrumentRecorder.wantsTexts { event.detail = execution.statements.joined(separator: "; ") }
        event.store = execution.store
        (event.serverAddress, event.serverPort) = (execution.server.host, execution.server.port)
        event.errorType = execution.failure ?? ""
        (event.rows, event.found) = (execution.rows, execution.rows)
        InstrumentRecorder.record(event, end: execution.end)
    }
}
