import CSQLite

/// An SQLite error, with the attempted operation and a hint. Contains no bound values: the SQL is the text before
/// binding.
@usableFromInline
package struct SQLiteError: Error, Equatable, Sendable {
    /// SQLite's result code, extended if there is an extended one.
    package let code: ResultCode
    /// What was attempted, as a phrase: `open /a/b.sqlite`, `step`.
    package let attempt: String
    /// The statement's text, with parameters in place of values.
    package let sql: String?
    /// SQLite's message, or this library's for errors that it detects itself.
    package let message: String
    /// What a caller can do about it.
    package let hint: String?
    /// Why a file was refused before SQLite opened it; nil for other errors.
    package let refusal: FileRefusal?
    /// The byte offset of the error in the statement's text; nil if SQLite reports none.
    package let offset: Int?

    package init(
        code: ResultCode, attempt: String, sql: String? = nil, message: String, hint: String? = nil,
        refusal: FileRefusal? = nil, offset: Int? = nil
    ) {
        self.code = code
        self.attempt = attempt
        self.sql = sql
        self.message = message
        self.hint = hint ?? Self.hint(for: code)
        self.refusal = refusal
        self.offset = offset
    }

    /// The last error of a connection; `code` is the result of the failed call.
    init(code: Int32, attempt: String, sql: String? = nil, on database: OpaquePointer?, hint: String? = nil) {
        let message = database.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
        let offset = sql == nil ? -1 : database.map { sqlite3_error_offset($0) } ?? -1
        self.init(
            code: ResultCode(rawValue: code), attempt: attempt, sql: sql, message: message, hint: hint,
            offset: offset < 0 ? nil : Int(offset))
    }

    private static func hint(for code: ResultCode) -> String? {
        switch code.primary {
        case .busy, .locked: "another connection holds the database; try again or raise the busy timeout"
        case .readOnly: "the file or its folder cannot be written"
        case .corrupt: "restore a backup, or copy what can still be read into a new file"
        case .notADatabase: "the file is not an SQLite database, or it is encrypted"
        case .full: "free space on the volume; nothing was changed"
        case .cannotOpen: "look at the file's and the folder's permissions, and at the -wal and -shm files beside it"
        case .interrupted: "the statement was stopped before its end"
        default: nil
        }
    }
}

extension SQLiteError: CustomStringConvertible {
    @usableFromInline package var description: String {
        var text = "SQLite error \(code.rawValue) at \(attempt): \(message)"
        if let hint { text += " (\(hint))" }
        if let sql { text += " [\(sql)]" }
        return text
    }
}
