import CoreDataSQL
import PostgresKit

/// Computes the sizes of transactions from their changes, some transactions at a time.
struct HistorySizes {
    private static let transactionsAtOnce = 200

    private let session: PostgresSession
    private let history: StoreHistoryTables

    init(_ session: PostgresSession, _ history: StoreHistoryTables) {
        self.session = session
        self.history = history
    }

    func read(
        _ numbers: ClosedRange<Int64>, order: HistoryOrder, body: (Int64, Int64) throws -> Bool
    ) throws {
        var left: ClosedRange<Int64>? = numbers
        while let range = left {
            let found = try self.numbers(in: range, order)
            guard let last = found.last else { return }
            let sizes = try sizes(of: found)
            for number in found {
                guard try body(number, sizes[number] ?? HistorySize.transaction) else { return }
            }
            guard found.count == Self.transactionsAtOnce else { return }
            switch order {
            case .oldestFirst: left = last < range.upperBound ? (last + 1)...range.upperBound : nil
            case .newestFirst: left = last > range.lowerBound ? range.lowerBound...(last - 1) : nil
            }
        }
    }

    private func numbers(in range: ClosedRange<Int64>, _ order: HistoryOrder) throws -> [Int64] {
        let result = try session.query(
            "SELECT Z_PK FROM \(history.schema.transactions) WHERE Z_PK BETWEEN $1::int8 AND $2::int8 "
                + "AND Z_PK < (SELECT \(HistorySchema.horizon) FROM \(history.schema.state)) "
                + "ORDER BY Z_PK \(order == .oldestFirst ? "ASC" : "DESC") LIMIT \(Self.transactionsAtOnce)",
            [.integer(range.lowerBound), .integer(range.upperBound)])
        return (0..<result.rowCount).compactMap { result.int64($0, 0) }
    }

    private func sizes(of numbers: [Int64]) throws -> [Int64: Int64] {
        var sizes: [Int64: Int64] = [:]
        guard let greatest = numbers.max() else { return sizes }
        var pages = ChangePages(session, history, row: nil)
        for number in numbers.sorted() {
            var size = HistorySize.transaction
            try pages.forEach(of: number, through: greatest) { change in
                let properties = change.address.map { history.properties[$0.binding.layout.number] }
                size += HistorySize.bytes(of: change, properties)
            }
            sizes[number] = size
        }
        return sizes
    }
}
