import CoreDataSQL
import PostgresKit

/// Reads the changes of transactions in ascending order, a page of changes at a time, independent of the transactions'
/// sizes.
struct ChangePages {
    private static let changesAtOnce = 2_000

    private let session: PostgresSession
    private let history: StoreHistoryTables
    private let row: RowKey?
    private var page: PostgresResult?
    private var place = 0
    /// The last change that was read: the number of its transaction, and its own number.
    private var last: (transaction: Int64, change: Int64) = (.min, .min)
    /// The last transaction whose changes are all in the current page.
    private var readThrough = Int64.min

    init(_ session: PostgresSession, _ history: StoreHistoryTables, row: RowKey?) {
        self.session = session
        self.history = history
        self.row = row
    }

    /// Passes the changes of a transaction to `body`; a page may also contain the changes of later transactions up to
    /// `end`.
    ///
    /// - Throws: `PostgresError`, also if the server's rows are not in the requested order.
    mutating func forEach(of transaction: Int64, through end: Int64, _ body: (HistoryChange) throws -> Void) throws {
        while true {
            while let page, place < page.rowCount {
                let number = page.int64(place, 0) ?? .min
                guard number <= transaction else { return }
                defer { place += 1 }
                if number == transaction, let found = change(page, place) { try body(found) }
            }
            guard readThrough < transaction else { return }
            try readPage(from: transaction, through: end)
        }
    }

    private mutating func readPage(from transaction: Int64, through end: Int64) throws {
        // The order of the server's rows is not trusted: each full page must end after the start, or reading might
        // never end.
        let end = max(transaction, end)
        let start = last.transaction >= transaction ? last : (transaction: transaction, change: Int64.min)
        var condition = ""
        var parameters: [PostgresParameter] = [
            .integer(start.transaction), .integer(start.change), .integer(end),
        ]
        if let row {
            condition = " AND ZENTITYPK = $4::int8 AND ZENTITY = ANY($5::int8[])"
            let shape = session.shape
            let numbers = shape.layouts.entities.map { shape.entityNumber(ofLayout: $0.number) }
                .filter { shape.table(number: Int64($0))?.binding.table == row.table }
            parameters += [.integer(row.key), .integers(numbers.map(Int64.init))]
        }
        let result = try session.query(
            "SELECT ZTRANSACTIONID, Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS, ZTOMBSTONE "
                + "FROM \(history.schema.changes) WHERE (ZTRANSACTIONID, Z_PK) > ($1::int8, $2::int8) "
                + "AND ZTRANSACTIONID <= $3::int8\(condition) ORDER BY ZTRANSACTIONID, Z_PK LIMIT \(Self.changesAtOnce)",
            parameters)
        (page, place) = (result, 0)
        let final = result.rowCount - 1
        if result.rowCount < Self.changesAtOnce {
            readThrough = end
        } else {
            let reached = (transaction: result.int64(final, 0) ?? .min, change: result.int64(final, 1) ?? .min)
            guard reached > start, reached.transaction > .min else { throw PostgresHistoryReader.disorder }
            last = reached
            readThrough = last.transaction - 1
        }
    }

    private func change(_ result: PostgresResult, _ row: Int) -> HistoryChange? {
        guard let id = result.int64(row, 1), let type = result.int64(row, 2),
            let kind = ChangeRecord.Kind(rawValue: type), let key = result.int64(row, 4)
        else { return nil }
        let table = session.shape.table(number: result.int64(row, 3) ?? -1)
        let properties = table.map { history.properties[$0.layout.number] }
        var tombstone: [DerivedCell] = []
        if kind == .delete, let count = properties?.tombstoneSlots.count, count > 0 {
            let kept = CompositeCoding.elements(in: result.bytes(row, 6)).prefix(count).map(DerivedCell.init)
            let none = DerivedCell(
                StoredValue(tag: RowTag.null, bits: 0, bytes: UnsafeRawBufferPointer(start: nil, count: 0)))
            tombstone = kept + Array(repeating: none, count: count - kept.count)
        }
        let changed = kind == .update ? properties?.properties(packed: result.bytes(row, 5)) : nil
        return HistoryChange(
            id: id, kind: kind, address: table.map { RowAddress(binding: $0.binding, key: key) }, properties: changed,
            tombstone: tombstone)
    }
}
