import CSQLite

extension Connection {
    /// The boolean settings of `sqlite3_db_config` that are used; the raw values are its operation codes.
    package enum Setting: Int32, Sendable {
        case foreignKeys = 1002
        case triggers = 1003
        /// Whether closing the last connection leaves the `-wal` file without a checkpoint.
        case leavesLogOnClose = 1006
        /// Whether the next `VACUUM` empties the database, even if it is corrupt.
        case resetsDatabase = 1009
        case defensive = 1010
        case views = 1015
        case trustedSchema = 1017
    }

    /// Switches a setting on or off.
    package func configure(_ setting: Setting, _ isOn: Bool) throws(SQLiteError) {
        let handle = try open(for: "configure")
        try check(csqlite_configure(handle, setting.rawValue, isOn ? 1 : 0), "configure \(setting)")
    }

    /// Sets how long a call waits for another connection's lock; zero for no wait.
    package func setBusyTimeout(_ timeout: Duration) {
        let (seconds, attoseconds) = timeout.components
        let milliseconds = min(max(seconds, 0), 2_000_000) * 1_000 + max(attoseconds, 0) / 1_000_000_000_000_000
        busyMilliseconds = Int32(clamping: milliseconds)
        applyBusyTimeout()
    }

    /// Sets a limit and returns the previous one. SQLite reduces a limit above its compiled maximum to that maximum.
    @discardableResult
    package func setLimit(_ limit: OpenOptions.Limit, to value: Int) -> Int {
        guard let handle else { return 0 }
        return Int(sqlite3_limit(handle, limit.rawValue, Int32(clamping: max(value, 0))))
    }

    /// The value of a pragma; nil if it returns none. The name must be an identifier.
    package func pragma(_ name: String) throws(SQLiteError) -> Value? {
        try value("PRAGMA \(try Self.identifier(name))")
    }

    /// Sets a pragma and returns its result, such as the new journal mode. A text value must be an identifier.
    @discardableResult
    package func setPragma(_ name: String, to newValue: Value) throws(SQLiteError) -> Value? {
        let text: String
        switch newValue {
        case .integer(let integer): text = String(integer)
        case .text(let word): text = try Self.identifier(word)
        default: throw SQLiteError(code: .misuse, attempt: "set pragma \(name)", message: "neither number nor word")
        }
        return try value("PRAGMA \(try Self.identifier(name)) = \(text)")
    }

    // Pragmas have no parameters, so their words are checked instead of bound.
    private static func identifier(_ word: String) throws(SQLiteError) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || (byte | 0x20) &- UInt8(ascii: "a") < 26
        }
        guard isPlain, !word.isEmpty else {
            throw SQLiteError(code: .misuse, attempt: "pragma", message: "a pragma's words are letters only")
        }
        return word
    }
}
