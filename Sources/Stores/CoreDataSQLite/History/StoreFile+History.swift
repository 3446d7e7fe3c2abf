import CoreDataSQL
import SQLiteKit

extension StoreFile: HistoryKeeping {
    package var history: (any HistoryKeeping)? { tracksHistory ? self : nil }

    package func historyExtent() throws -> HistoryExtent {
        try reporting("be asked for its history") {
            try requireSameHistory()
            let extent = try HistoryTables.extent(connection)
            verified.note(transaction: extent.newest)
            return extent
        }
    }

    package func readHistory(
        _ query: HistoryQuery, transaction: (HistoryTransaction) throws -> HistoryReading,
        change: (HistoryChange) throws -> Void
    ) throws {
        try reporting("be asked for its history") {
            try readingOneHistory {
                try requireSameHistory()
                var reader = try SQLiteHistoryReader(self, properties: historyProperties)
                try reader.read(query, transaction: transaction, change: change)
            }
        }
    }

    package func readHistorySizes(
        of numbers: ClosedRange<Int64>, _ order: HistoryOrder, _ body: (Int64, Int64) throws -> Bool
    ) throws {
        try reporting("be asked for its history") {
            try readingOneHistory {
                try requireSameHistory()
                try HistoryTables.sizes(of: numbers, order, connection: connection, body: body)
            }
        }
    }

    /// Runs a block in one read transaction, so that other writers do not change what is read; in the transaction of
    /// grouped saves if that has begun.
    private func readingOneHistory<Result>(_ body: () throws -> Result) throws -> Result {
        isGroupingSaves ? try body() : try connection.transaction(.deferred, body)
    }

    package func start(ofNewest count: Int, _ extent: HistoryExtent) throws -> Int64 {
        guard count > 0 else { return extent.newest + 1 }
        return try reporting("be asked for its history") {
            let first = try connection.rows(
                "SELECT Z_PK FROM ATRANSACTION WHERE Z_PK <= ? ORDER BY Z_PK DESC LIMIT 1 OFFSET ?",
                [.integer(extent.newest), .integer(Int64(count - 1))]
            ).first?.first?.integer
            return first ?? extent.oldest ?? extent.newest + 1
        }
    }

    /// Deletes the transactions but not their old values, which past states before other transactions need. Old values
    /// are removed by `purgeHistory(before:)`.
    package func deleteHistory(_ numbers: [Int64]) throws -> Int {
        try requireWritableHistory()
        return try reporting("delete history") {
            try writing {
                try requireSameFile()
                var count = 0
                for number in numbers {
                    try connection.execute("DELETE FROM ACHANGE WHERE ZTRANSACTIONID = ?", [.integer(number)])
                    try connection.execute("DELETE FROM ATRANSACTION WHERE Z_PK = ?", [.integer(number)])
                    count += connection.changes
                }
                return count
            }
        }
    }

    private func requireWritableHistory() throws {
        guard isReadOnly else { return }
        throw CoreDataError.make(
            NSPersistentStoreSaveError, "The store '\(url.path)' is read-only, so its history cannot be deleted.",
            reason: reasonForReadOnly)
    }

    package func purgeHistory(before bound: HistoryBound) throws -> Int {
        try requireWritableHistory()
        return try reporting("delete history") {
            try writing {
                try requireSameFile()
                guard let last = try lastTransaction(before: bound) else { return 0 }
                try connection.execute("DELETE FROM ACHANGE WHERE ZTRANSACTIONID <= ?", [.integer(last)])
                try connection.execute("DELETE FROM ATRANSACTION WHERE Z_PK <= ?", [.integer(last)])
                let count = connection.changes
                try OldValueTables.purge(through: last, connection)
                return count
            }
        }
    }

    /// Throws if the file contains another store than the one opened; its transactions may have the same numbers.
    ///
    /// - Throws: error 134501, as for a token of another store.
    private func requireSameHistory() throws {
        guard unrecordedIdentifier == nil else { return }
        let identifier = try connection.value("SELECT Z_UUID FROM Z_METADATA LIMIT 1")?.text
        guard identifier == store.identifier else {
            throw CoreDataError.make(
                134_501, "The store in the file '\(url.path)' was replaced by another while it was open.",
                reason: "The history in the file is not that of the store that was opened.",
                hint: "Remove the store from the coordinator and add it again; forget tokens of the former store.")
        }
    }

    /// Returns the last transaction of the history's beginning that precedes the bound completely, so that the
    /// remaining history has no gaps even if the clock was set back.
    private func lastTransaction(before bound: HistoryBound) throws -> Int64? {
        switch bound {
        case .number(let number): return number.subtractingReportingOverflow(1).partialValue
        case .time(let time):
            let kept = try connection.value("SELECT min(Z_PK) FROM ATRANSACTION WHERE ZTIMESTAMP >= ?", [.real(time)])
            if let first = kept?.integer { return first - 1 }
            return try connection.value("SELECT max(Z_PK) FROM ATRANSACTION")?.integer
        }
    }

    // MARK: Beginning

    /// Begins to record the file's changes; if the history's tables are unusable, records the reason instead.
    func beginHistory(keepingOldValues keepsOldValues: Bool) throws {
        do {
            let count = historyProperties.map(\.tombstoneSlots.count).max() ?? 0
            func missing() throws -> [String] {
                let tables = try HistoryTables.missing(connection, tombstones: count)
                guard keepsOldValues else { return tables }
                return tables + (try OldValueTables.missing(try connection.catalog(columnsOf: OldValueTables.names)))
            }
            if try !missing().isEmpty {
                try connection.transaction(.immediate) {
                    // Another process may have created them meanwhile.
                    for statement in try missing() { try connection.execute(statement) }
                }
            }
            let places = keepsOldValues ? try OldValuePlace.all(of: schema, connection) : nil
            let writer = HistoryWriter(
                shape, properties: historyProperties, oldValues: places.map(OldValueRecorder.init))
            try writer.attach(to: connection)
            historyWriter = writer
            verified.note(transaction: try HistoryKeys.greatest(.transaction, connection))
            tracksHistory = true
        } catch let error as HistoryTables.Unusable {
            let reason = "Its history is turned off: \(error.reason)"
            reasonForNoHistory = reason
            note(reason)
            CoreDataLogging.report(
                .warning, "'\(url.path)': \(reason)", metadata: [CoreDataLogging.MetadataKey.store: url.path])
        }
    }
}
