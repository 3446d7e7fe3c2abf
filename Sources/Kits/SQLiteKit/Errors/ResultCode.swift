/// An SQLite result code, or an extended result code (https://sqlite.org/rescode.html).
package struct ResultCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// The primary result code: `busySnapshot.primary == .busy`.
    package var primary: ResultCode { ResultCode(rawValue: rawValue & 0xFF) }

    package static let ok = ResultCode(rawValue: 0)
    package static let error = ResultCode(rawValue: 1)
    package static let permission = ResultCode(rawValue: 3)
    package static let abort = ResultCode(rawValue: 4)
    package static let busy = ResultCode(rawValue: 5)
    package static let locked = ResultCode(rawValue: 6)
    package static let outOfMemory = ResultCode(rawValue: 7)
    package static let readOnly = ResultCode(rawValue: 8)
    package static let interrupted = ResultCode(rawValue: 9)
    package static let inputOutput = ResultCode(rawValue: 10)
    package static let corrupt = ResultCode(rawValue: 11)
    package static let full = ResultCode(rawValue: 13)
    package static let cannotOpen = ResultCode(rawValue: 14)
    package static let lockingProtocol = ResultCode(rawValue: 15)
    package static let schemaChanged = ResultCode(rawValue: 17)
    package static let tooBig = ResultCode(rawValue: 18)
    package static let constraint = ResultCode(rawValue: 19)
    package static let mismatch = ResultCode(rawValue: 20)
    package static let misuse = ResultCode(rawValue: 21)
    package static let notAuthorized = ResultCode(rawValue: 23)
    package static let range = ResultCode(rawValue: 25)
    package static let notADatabase = ResultCode(rawValue: 26)

    package static let busyRecovery = ResultCode(rawValue: 5 | 1 << 8)
    package static let busySnapshot = ResultCode(rawValue: 5 | 2 << 8)
    package static let cannotOpenDirectory = ResultCode(rawValue: 14 | 2 << 8)
    package static let constraintUnique = ResultCode(rawValue: 19 | 8 << 8)
    package static let constraintPrimaryKey = ResultCode(rawValue: 19 | 6 << 8)
    package static let readOnlyDatabaseMoved = ResultCode(rawValue: 8 | 4 << 8)
    package static let inputOutputFolderSync = ResultCode(rawValue: 10 | 5 << 8)
    package static let inputOutputSync = ResultCode(rawValue: 10 | 4 << 8)
}

extension ResultCode {
    /// The name in SQLite's manual, such as `SQLITE_BUSY`; the primary code's name if `names` lacks the extended code.
    package var name: String {
        Self.names[rawValue] ?? Self.names[rawValue & 0xFF] ?? "SQLITE_ERROR"
    }

    private static let names: [Int32: String] = [
        1: "SQLITE_ERROR", 2: "SQLITE_INTERNAL", 3: "SQLITE_PERM", 4: "SQLITE_ABORT", 5: "SQLITE_BUSY",
        6: "SQLITE_LOCKED", 7: "SQLITE_NOMEM", 8: "SQLITE_READONLY", 9: "SQLITE_INTERRUPT", 10: "SQLITE_IOERR",
        11: "SQLITE_CORRUPT", 12: "SQLITE_NOTFOUND", 13: "SQLITE_FULL", 14: "SQLITE_CANTOPEN", 15: "SQLITE_PROTOCOL",
        16: "SQLITE_EMPTY", 17: "SQLITE_SCHEMA", 18: "SQLITE_TOOBIG", 19: "SQLITE_CONSTRAINT", 20: "SQLITE_MISMATCH",
        21: "SQLITE_MISUSE", 22: "SQLITE_NOLFS", 23: "SQLITE_AUTH", 24: "SQLITE_FORMAT", 25: "SQLITE_RANGE",
        26: "SQLITE_NOTADB",
        busyRecovery.rawValue: "SQLITE_BUSY_RECOVERY", busySnapshot.rawValue: "SQLITE_BUSY_SNAPSHOT",
        cannotOpenDirectory.rawValue: "SQLITE_CANTOPEN_ISDIR", constraintUnique.rawValue: "SQLITE_CONSTRAINT_UNIQUE",
        constraintPrimaryKey.rawValue: "SQLITE_CONSTRAINT_PRIMARYKEY",
        readOnlyDatabaseMoved.rawValue: "SQLITE_READONLY_DBMOVED",
        inputOutputFolderSync.rawValue: "SQLITE_IOERR_DIR_FSYNC", inputOutputSync.rawValue: "SQLITE_IOERR_FSYNC",
    ]
}
