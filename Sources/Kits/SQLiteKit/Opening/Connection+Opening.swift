import CSQLite

extension Connection {
    /// Opens a database file with hardened settings for untrusted files, and reads its header and schema.
    ///
    /// The schema may call only innocuous functions; shadow tables and `writable_schema` are read-only; cell sizes are
    /// checked; memory mapping is off.
    /// - Throws: `SQLiteError`: with a `refusal` if the path is not a database file; `notADatabase`, `corrupt` or
    ///   `cannotOpen` if SQLite refuses the file; `busy` if a lock is held longer than the timeout.
    package static func open(_ path: String, _ options: OpenOptions = OpenOptions()) throws(SQLiteError) -> Connection {
        let file = DatabaseFile(path: path)
        if let refusal = file.refusal(mayBeMissing: options.mode == .create) {
            throw SQLiteError(refusal: refusal, path: path)
        }
        return try open(
            uri: file.uri(isImmutable: options.isImmutable, keepsLogIndex: options.keepsLogIndex), path: path, options)
    }

    /// Opens an empty database in memory, which is deleted when the connection is closed.
    package static func inMemory() throws(SQLiteError) -> Connection {
        try open(uri: "file::memory:", path: nil, OpenOptions(mode: .create))
    }

    /// Opens a database in memory that all connections of the process with the same name share; it is initially empty,
    /// and deleted when the last of them is closed.
    package static func inMemory(sharedAs name: String) throws(SQLiteError) -> Connection {
        var options = OpenOptions(mode: .create)
        // SQLite's VFS for databases in memory, which shares those whose names begin with a slash.
        options.vfs = "memdb"
        return try open(uri: DatabaseFile(path: "/CoreData/" + name).uri(isImmutable: false), path: nil, options)
    }

    private static func open(
        uri: String, path: String?, _ options: OpenOptions
    ) throws(SQLiteError) -> Connection {
        var handle: OpaquePointer?
        let flags = options.mode.flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(uri, &handle, flags, options.vfs)
        guard code == SQLITE_OK, let handle else {
            let error = SQLiteError(code: code, attempt: "open \(path ?? "in memory")", on: handle)
            sqlite3_close_v2(handle)
            throw error
        }
        let connection = Connection(handle: handle, path: path)
        connection.log = LogSettings.ofNewConnections.map(StatementLog.init)
        try connection.harden(options)
        try connection.readSchema()
        return connection
    }

    private func harden(_ options: OpenOptions) throws(SQLiteError) {
        setBusyTimeout(options.busyTimeout)
        for (limit, value) in options.limits { setLimit(limit, to: value) }
        try configure(.defensive, true)
        try configure(.trustedSchema, false)
        try setPragma("cell_size_check", to: .integer(1))
        try setPragma("mmap_size", to: .integer(0))
    }

    /// SQLite opens files lazily: only reading shows whether the file is a database.
    private func readSchema() throws(SQLiteError) {
        do {
            _ = try value("SELECT count(*) FROM sqlite_master")
        } catch {
            throw SQLiteError(
                code: error.code, attempt: "open \(path ?? "in memory")", message: error.message, hint: error.hint)
        }
    }
}

extension OpenOptions.Mode {
    fileprivate var flags: Int32 {
        switch self {
        case .readOnly: SQLITE_OPEN_READONLY
        case .readWrite: SQLITE_OPEN_READWRITE
        case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
    }
}

extension SQLiteError {
    fileprivate init(refusal: FileRefusal, path: String) {
        let code: ResultCode =
            switch refusal {
            case .directory: .cannotOpenDirectory
            case .empty, .tooShort: .notADatabase
            default: .cannotOpen
            }
        let hint =
            switch refusal {
            case .missing: "check the path"
            case .forbidden: "look at the permissions of the file and of the folders above it"
            case .empty: "remove the empty file to have a new database made in its place"
            default: "give the path of a regular file"
            }
        self.init(code: code, attempt: "open \(path)", message: refusal.rawValue, hint: hint, refusal: refusal)
    }
}
