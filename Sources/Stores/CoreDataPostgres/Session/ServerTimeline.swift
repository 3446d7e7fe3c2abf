/// On which timeline a server is: another one after each failover and each recovery to a point in time.
enum ServerTimeline {
    /// The query for its number. A replica reports the timeline that it last wrote to its disk, the former one for a while after a
    /// failover.
    static let query =
        "SELECT CASE WHEN pg_is_in_recovery() THEN (SELECT greatest(c.timeline_id, r.min_recovery_end_timeline) "
        + "FROM pg_control_checkpoint() c, pg_control_recovery() r) "
        + "ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer END"
}
