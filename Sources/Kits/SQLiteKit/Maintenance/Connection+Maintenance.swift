import CSQLite

extension Connection {
    /// How far a checkpoint goes; the raw values are those of `sqlite3_wal_checkpoint_v2`.
    package enum CheckpointMode: Int32, Sendable {
        case passive = 0
        case full = 1
        case restart = 2
        case truncate = 3
    }

    /// Frames in the `-wal` file and those now in the database; both -1 outside WAL.
    package struct CheckpointResult: Equatable, Sendable {
        package let logged: Int
        package let checkpointed: Int

        package init(logged: Int, checkpointed: Int) {
            self.logged = logged
            self.checkpointed = checkpointed
        }
    }

    /// Moves what the `-wal` file holds into the database.
    @discardableResult
    package func checkpoint(_ mode: CheckpointMode = .passive) throws(SQLiteError) -> CheckpointResult {
        let handle = try open(for: "checkpoint")
        var logged: Int32 = -1
        var checkpointed: Int32 = -1
        try check(
            sqlite3_wal_checkpoint_v2(handle, "main", mode.rawValue, &logged, &checkpointed), "checkpoint \(mode)")
        return CheckpointResult(logged: Int(logged), checkpointed: Int(checkpointed))
    }

    /// The faults that a full check finds, at most `limit`; empty for a sound file.
    package func integrityFaults(limit: Int = 100) throws(SQLiteError) -> [String] {
        try faults("integrity_check", limit)
    }

    /// As `integrityFaults`, without comparing indexes with their tables.
    package func quickFaults(limit: Int = 100) throws(SQLiteError) -> [String] {
        try faults("quick_check", limit)
    }

    private func faults(_ check: String, _ limit: Int) throws(SQLiteError) -> [String] {
        let lines = try rows("SELECT * FROM pragma_\(check)(?)", [.integer(Int64(limit))])
        let texts = lines.compactMap { $0.first?.text }
        return texts == ["ok"] ? [] : texts
    }
}
