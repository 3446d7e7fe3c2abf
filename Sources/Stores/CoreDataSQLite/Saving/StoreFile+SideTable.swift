import CoreDataSQL
import SQLiteKit

/// The table that has the entries of `SideTableKeeping`, made when the first entry is written. Apple's framework ignores it.
enum SideTable {
    static let name = "OpenCoreDataSideTable"

    static let creation =
        "CREATE TABLE IF NOT EXISTS \(name) ( KEY BLOB PRIMARY KEY NOT NULL, VALUE BLOB NOT NULL ) WITHOUT ROWID"
    static let value = "SELECT VALUE FROM \(name) WHERE KEY = ?"
    static let insertion = "INSERT OR REPLACE INTO \(name) (KEY, VALUE) VALUES (?, ?)"
    static let removal = "DELETE FROM \(name) WHERE KEY = ?"
}

extension StoreFile: SideTableKeeping {
    package var sideTable: (any SideTableKeeping)? { self }

    package func sideValue(for key: [UInt8]) throws -> [UInt8]? {
        try reading {
            try connection.withStatement(SideTable.value) { statement in
                try key.withUnsafeBytes { try statement.bind(blob: $0, at: 1) }
                return try statement.step() ? Array(statement.blobBytes(0)) : nil
            }
        } ?? nil
    }

    package func sideEntries(withPrefix prefix: [UInt8]) throws -> [SideEntry] {
        try sideEntries(withPrefix: prefix, after: nil, atMost: .max)
    }

    package func sideEntries(withPrefix prefix: [UInt8], after key: [UInt8]?, atMost count: Int) throws -> [SideEntry] {
        let end = SideEntry.end(ofPrefix: prefix)
        let begin = key == nil ? ">=" : ">"
        let bound = end == nil ? "" : " AND KEY < ?2"
        return try reading {
            try connection.withStatement(
                "SELECT KEY, VALUE FROM \(SideTable.name) WHERE KEY \(begin) ?1\(bound) ORDER BY KEY LIMIT ?3"
            ) { statement in
                try statement.bind(.blob(key ?? prefix), at: 1)
                if let end { try statement.bind(.blob(end), at: 2) }
                try statement.bind(Int64(count), at: 3)
                var entries: [SideEntry] = []
                while try statement.step() {
                    entries.append(
                        SideEntry(key: Array(statement.blobBytes(0)), value: Array(statement.blobBytes(1))))
                }
                return entries
            }
        } ?? []
    }

    package func writeSideEntries(_ entries: [SideEntry]) throws {
        guard !entries.isEmpty else { return }
        try reporting("be saved") {
            if try !hasSideTable() { try connection.execute(SideTable.creation) }
            let insertion = try connection.prepare(SideTable.insertion)
            let removal = try connection.prepare(SideTable.removal)
            for entry in entries {
                let statement = entry.value == nil ? removal : insertion
                try entry.key.withUnsafeBytes { try statement.bind(blob: $0, at: 1) }
                if let value = entry.value { try value.withUnsafeBytes { try statement.bind(blob: $0, at: 2) } }
                try statement.run()
            }
        }
    }

    /// The transaction of `savingTogether` is an immediate one: no other connection can write.
    package func excludeOtherSaves() {}

    package func placeMark() -> [UInt8] { Array(url.resolvingSymlinksInPath().path.utf8) }

    /// What a query of the table gives; nil if the table was not made yet, which its statement says when it is prepared.
    private func reading<Result>(_ body: () throws -> Result) throws -> Result? {
        try reporting("be read") {
            do {
                return try body()
            } catch let error as SQLiteError where error.code.primary == .error {
                guard try !hasSideTable() else { throw error }
                return nil
            }
        }
    }

    private func hasSideTable() throws -> Bool {
        try connection.value("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '\(SideTable.name)'") != nil
    }
}
