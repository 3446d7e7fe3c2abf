import CoreDataSQL
import PostgresKit

/// A position in the write-ahead log of a server, on one of its timelines. A replica on the same timeline that has
/// replayed the log up to the position has everything that was committed before it.
///
/// Positions of different timelines cannot be compared: after a failover, the same number means different contents.
struct LogPosition: Equatable, Sendable {
    let timeline: Int64
    /// The log sequence number (LSN) after the last included byte.
    let place: Int64
    /// A save on the timeline before the position; nil if none is known.
    var save: MarkedSave?

    /// A save, identified by the marker that it has left in `Z_MARKER`.
    struct MarkedSave: Equatable, Sendable {
        let writer: String
        let number: Int64
    }

    /// Queries the primary server for the end of its log. Replicas receive what is on its disk; with
    /// `synchronous_commit` off a commit may not be there yet.
    static let question = PostgresStatement(
        "SELECT (\(ServerTimeline.query))::int8, (CASE current_setting('synchronous_commit') "
            + "WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END - '0/0'::pg_lsn)::int8")

    init(timeline: Int64, place: Int64, save: MarkedSave? = nil) {
        self.timeline = timeline
        self.place = place
        self.save = save
    }

    /// Reads a position from the result of `question`, which followed the save with `marker`, if given; nil without a
    /// result.
    init?(_ result: PostgresResult?, behind marker: SaveMarker? = nil) {
        guard let result, result.rowCount == 1, let timeline = result.int64(0, 0), let place = result.int64(0, 1) else {
            return nil
        }
        let save = marker.map { MarkedSave(writer: $0.writer, number: $0.number) }
        self.init(timeline: timeline, place: place, save: save)
    }

    /// Returns a statement that fails on a server that is not a replica, is not on the timeline, or has not replayed
    /// the log up to the position; with `transaction`, also on a server whose history does not report that transaction.
    ///
    /// A replica is on the timeline if it has a save that was made there, or else by its control file, which has the
    /// former timeline for some time after a failover. All lower transaction numbers must have ended there, as they may
    /// commit later.
    func condition(_ history: HistorySchema, through transaction: Int64?) -> PostgresStatement {
        var parameters: [PostgresParameter] = [.integer(place), .integer(timeline)]
        var isOnTimeline = "(\(ServerTimeline.query)) = $2::int8"
        if let save {
            parameters += [.text(save.writer), .integer(save.number)]
            isOnTimeline +=
                " OR EXISTS (SELECT FROM \(history.schema.table("Z_MARKER")) WHERE Z_WRITER = $3::text AND Z_SAVE >= $4::int8)"
        }
        var condition =
            "pg_is_in_recovery() AND pg_last_wal_replay_lsn() - '0/0'::pg_lsn >= $1::int8 AND (\(isOnTimeline))"
        if let transaction {
            parameters.append(.integer(transaction))
            let number = "$\(parameters.count)::int8"
            condition +=
                " AND EXISTS (SELECT FROM \(history.state) WHERE \(number) <= ZPURGED OR \(number) < \(HistorySchema.horizon) "
                + "AND EXISTS (SELECT FROM \(history.transactions) WHERE Z_PK = \(number)))"
        }
        return PostgresStatement("SELECT 1 / coalesce(\(condition), false)::int4", parameters)
    }
}
