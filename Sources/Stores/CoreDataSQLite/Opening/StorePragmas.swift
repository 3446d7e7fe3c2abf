import CoreDataSQL
import SQLiteKit

/// The settings of a connection that writes.
struct StorePragmas {
    let options: [AnyHashable: Any]

    /// The pragmas that programs may set with `NSSQLitePragmasOption`; others could make the file unsafe.
    private static let allowed: Set<String> = [
        "journal_mode", "synchronous", "cache_size", "fullfsync", "checkpoint_fullfsync", "wal_autocheckpoint",
        "journal_size_limit", "temp_store", "secure_delete", "locking_mode",
    ]

    /// Sets write-ahead logging and full synchronization, unless the options differ.
    ///
    /// - Throws: `NSCoreDataError` for a pragma that is not allowed, `SQLiteError` for one that cannot be set.
    func apply(to connection: Connection) throws {
        // The journal mode must be set before the other pragmas of the journal.
        try setJournalMode(try given()["journal_mode"] ?? .text("wal"), on: connection)
        try applyToReader(connection)
    }

    /// Applies all settings except the journal mode, which is a property of the file.
    func applyToReader(_ connection: Connection) throws {
        var pragmas: [String: Value] = ["synchronous": .text("full")]
        for (name, value) in try given() { pragmas[name] = value }
        for name in pragmas.keys.sorted() where name != "journal_mode" {
            try connection.setPragma(name, to: pragmas[name] ?? .null)
        }
    }

    /// Whether other connections can read while a connection with these settings writes.
    func allowReaders(_ connection: Connection) throws -> Bool {
        let given = try given()
        // With exclusive locking, a connection excludes all others.
        guard given["locking_mode"].map({ $0.text?.lowercased() == "normal" }) ?? true else { return false }
        return try given["journal_mode"] == nil || connection.pragma("journal_mode")?.text == "wal"
    }

    private func given() throws -> [String: Value] {
        guard let given = options[NSSQLitePragmasOption] as? [String: Any] else { return [:] }
        var pragmas: [String: Value] = [:]
        for (key, value) in given {
            let name = key.lowercased()
            guard Self.allowed.contains(name) else {
                throw CoreDataError.make(
                    NSCoreDataError, "The pragma '\(key)' cannot be set by an option.",
                    hint: "Allowed: \(Self.allowed.sorted().joined(separator: ", ")).")
            }
            let number = (value as? NSNumber)?.int64Value ?? (value as? String).flatMap { Int64($0) }
            pragmas[name] = number.map(Value.integer) ?? .text("\(value)")
        }
        return pragmas
    }

    /// Sets the journal mode; SQLite returns the mode in effect, which may differ from the requested one.
    private func setJournalMode(_ mode: Value, on connection: Connection) throws {
        let actual = try connection.setPragma("journal_mode", to: mode)?.text
        guard let requested = mode.text, actual != requested.lowercased() else { return }
        throw CoreDataError.make(
            NSCoreDataError,
            "The pragma 'journal_mode' cannot be set to '\(requested)' for the store '\(connection.path ?? "")': "
                + "it stays \(actual ?? "as it is").",
            hint: "Allowed: delete, truncate, persist, memory, wal, off; memory and off risk the file in a crash.")
    }
}
