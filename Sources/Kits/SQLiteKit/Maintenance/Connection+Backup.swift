import CSQLite

extension Connection {
    /// Copies the entire database over another one, at once or `pagesPerStep` pages at a time.
    ///
    /// `progress` is called with the numbers of remaining and total pages; if it throws, the backup ends and the
    /// destination is unchanged.
    package func backUp(
        to destination: Connection, pagesPerStep: Int? = nil,
        progress: (_ remaining: Int, _ total: Int) throws -> Void = { _, _ in }
    ) throws {
        let source = try open(for: "back up")
        let target = try destination.open(for: "back up")
        guard let backup = sqlite3_backup_init(target, "main", source, "main") else {
            throw SQLiteError(code: sqlite3_extended_errcode(target), attempt: "back up", on: target)
        }
        var code: Int32
        do {
            repeat {
                code = sqlite3_backup_step(backup, pagesPerStep.map { Int32(clamping: max($0, 1)) } ?? -1)
                try progress(Int(sqlite3_backup_remaining(backup)), Int(sqlite3_backup_pagecount(backup)))
            } while code == SQLITE_OK
        } catch {
            sqlite3_backup_finish(backup)
            throw error
        }
        let end = sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE, end == SQLITE_OK else {
            throw SQLiteError(code: end == SQLITE_OK ? code : end, attempt: "back up", on: target)
        }
    }

    /// Copies the entire database into a new file, which must not exist.
    package func backUp(toNewFile path: String) throws {
        guard DatabaseFile(path: path).refusal(mayBeMissing: false) == .missing else {
            throw SQLiteError(
                code: .cannotOpen, attempt: "back up to \(path)", message: "there is something at that path",
                hint: "choose another path")
        }
        let destination = try Connection.open(path, OpenOptions(mode: .create))
        try backUp(to: destination)
    }
}
