/// The timeline of a server, which changes with each failover and each point-in-time recovery.
enum ServerTimeline {
    /// The query for the timeline's number. A replica reports the last timeline in its control file, which is the
    /// former one for some time after a failover.
    static let query =
        "SELECT CASE WHEN pg_is_in_recovery() THEN (SELECT greatest(c.timeline_id, r.min_recovery_end_timeline) "
        + "FROM pg_control_checkpoint() c, pg_control_recovery() r) "
        + "ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer END"
}
