import CSQLite

extension Connection {
    /// The mode of a checkpoint; the raw values are those of `sqlite3_wal_checkpoint_v2`.
    package enum CheckpointMode: Int32, Sendable {
        case passive = 0
        case full = 1
        case restart = 2
        case truncate = 3
    }

    /// The numbers of frames in the `-wal` file and of frames moved into the database; both -1 unless in WAL mode.
    package struct CheckpointResult: Equatable, Sendable {
        package let logged: Int
        package let checkpointed: Int

        package init(logged: Int, checkpointed: Int) {
            self.logged = logged
            self.checkpointed = checkpointed
        }
    }

    /// Moves the contents of the `-wal` file into the database.
    @discardableResult
    package func checkpoint(_ mode: CheckpointMode = .passive) throws(SQLiteError) -> CheckpointResult {
        let handle = try open(for: "checkpoint")
        var logged: Int32 = -1
        var checkpointed: Int32 = -1
        try check(
            sqlite3_wal_checkpoint_v2(handle, "main", mode.rawValue, &logged, &checkpointed), "checkpoint \(mode)")
        return CheckpointResult(logged: Int(logged), checkpointed: Int(checkpointed))
    }

    /// The errors that a full integrity check finds, at most `limit`; empty for an intact file.
    package func integrityFaults(limit: Int = 100) throws(SQLiteError) -> [String] {
        try faults("integrity_check", limit)
    }

    /// Like `integrityFaults`, without comparing indexes to their tables.
    package func quickFaults(limit: Int = 100) throws(SQLiteError) -> [String] {
        try faults("quick_check", limit)
    }

    private func faults(_ check: String, _ limit: Int) throws(SQLiteError) -> [String] {
        let lines = try rows("SELECT * FROM pragma_\(check)(?)", [.integer(Int64(limit))])
        let texts = lines.compactMap { $0.first?.text }
        return texts == ["ok"] ? [] : texts
    }
}
