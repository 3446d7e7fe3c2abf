import CoreDataSQL
import PostgresKit

/// A place in the log of a server on one of its timelines: what was committed there before it is what a replica has that has
/// replayed the log up to it on the same timeline.
///
/// Places of different timelines cannot be compared: two of a cluster have the same numbers for what is not the same.
struct LogPosition: Equatable, Sendable {
    let timeline: Int64
    /// The number of the first byte behind it.
    let place: Int64

    /// Asks a server that takes writes how far its log goes. What is on its disk is what replicas get; with `synchronous_commit` off a
    /// commit may not be there yet.
    static let question = PostgresStatement(
        "SELECT (\(ServerTimeline.query))::int8, (CASE current_setting('synchronous_commit') "
            + "WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END - '0/0'::pg_lsn)::int8")

    init(timeline: Int64, place: Int64) {
        self.timeline = timeline
        self.place = place
    }

    /// The answer to the question; nil for none.
    init?(_ result: PostgresResult?) {
        guard let result, result.rowCount == 1, let timeline = result.int64(0, 0), let place = result.int64(0, 1) else {
            return nil
        }
        self.init(timeline: timeline, place: place)
    }

    /// Fails at a server that is no replica on the timeline or has not replayed the log up to the place; also where it does not have the
    /// history up to a transaction, if one is given.
    ///
    /// All lower numbers must have ended there too: they may have been committed later than the transaction, and told of before.
    func condition(_ history: HistorySchema, through transaction: Int64?) -> PostgresStatement {
        var condition =
            "pg_is_in_recovery() AND pg_last_wal_replay_lsn() - '0/0'::pg_lsn >= $1::int8 "
            + "AND (\(ServerTimeline.query)) = $2::int8"
        var parameters: [PostgresParameter] = [.integer(place), .integer(timeline)]
        if let transaction {
            condition +=
                " AND EXISTS (SELECT FROM \(history.state) WHERE $3::int8 <= ZPURGED OR $3::int8 < \(HistorySchema.horizon) "
                + "AND EXISTS (SELECT FROM \(history.transactions) WHERE Z_PK = $3::int8))"
            parameters.append(.integer(transaction))
        }
        return PostgresStatement("SELECT 1 / coalesce(\(condition), false)::int4", parameters)
    }
}
