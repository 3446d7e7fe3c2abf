import CoreDataSQL
import SQLiteKit

/// The table that has the entries of `SideTableKeeping`, made when the first entry is written. Apple's framework ignores it.
enum SideTable {
    static let name = "OpenCoreDataSideTable"

    static let creation =
        "CREATE TABLE IF NOT EXISTS \(name) ( KEY BLOB PRIMARY KEY NOT NULL, VALUE BLOB NOT NULL ) WITHOUT ROWID"
}

extension StoreFile: SideTableKeeping {
    package var sideTable: (any SideTableKeeping)? { self }

    package func sideValue(for key: [UInt8]) throws -> [UInt8]? {
        guard try hasSideTable() else { return nil }
        return try reporting("be read") {
            try connection.withStatement("SELECT VALUE FROM \(SideTable.name) WHERE KEY = ?") { statement in
                try statement.bind(.blob(key), at: 1)
                return try statement.step() ? Array(statement.blobBytes(0)) : nil
            }
        }
    }

    package func sideEntries(withPrefix prefix: [UInt8]) throws -> [SideEntry] {
        guard try hasSideTable() else { return [] }
        let end = SideEntry.end(ofPrefix: prefix)
        let bound = end == nil ? "" : " AND KEY < ?2"
        return try reporting("be read") {
            try connection.withStatement(
                "SELECT KEY, VALUE FROM \(SideTable.name) WHERE KEY >= ?1\(bound) ORDER BY KEY"
            ) { statement in
                try statement.bind(.blob(prefix), at: 1)
                if let end { try statement.bind(.blob(end), at: 2) }
                var entries: [SideEntry] = []
                while try statement.step() {
                    entries.append(
                        SideEntry(key: Array(statement.blobBytes(0)), value: Array(statement.blobBytes(1))))
                }
                return entries
            }
        }
    }

    package func writeSideEntries(_ entries: [SideEntry]) throws {
        guard !entries.isEmpty else { return }
        try reporting("be saved") {
            if try !hasSideTable() { try connection.execute(SideTable.creation) }
            let insertion = "INSERT OR REPLACE INTO \(SideTable.name) (KEY, VALUE) VALUES (?, ?)"
            for entry in entries {
                guard let value = entry.value else {
                    try connection.execute("DELETE FROM \(SideTable.name) WHERE KEY = ?", [.blob(entry.key)])
                    continue
                }
                try connection.execute(insertion, [.blob(entry.key), .blob(value)])
            }
        }
    }

    /// The transaction of `savingTogether` is an immediate one: no other connection can write.
    package func excludeOtherSaves() {}

    package func placeMark() -> [UInt8] { Array(url.resolvingSymlinksInPath().path.utf8) }

    private func hasSideTable() throws -> Bool {
        try reporting("be read") {
            try connection.value("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '\(SideTable.name)'")
                != nil
        }
    }
}
