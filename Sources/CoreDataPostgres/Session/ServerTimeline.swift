/// On which timeline a server is: another one after each failover and each recovery to a point in time.
enum ServerTimeline {
    /// Asks for its number; that of the last checkpoint is older for a while after a failover, but all that a replica says.
    static let query =
        "SELECT CASE WHEN pg_is_in_recovery() THEN (SELECT timeline_id FROM pg_control_checkpoint()) "
        + "ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer END"
}
