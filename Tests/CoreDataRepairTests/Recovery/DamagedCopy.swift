import CoreData
import CoreDataRepair
import CoreDataWorkbench
import SQLiteKit
import TestBasics
import Testing

/// A real store that is damaged at random, and how much of what is whole comes back.
struct DamagedCopy {
    /// What of the rows whose pages are all whole was recovered.
    struct Score {
        var whole = 0
        var recovered = 0
        /// Recovered rows with other values than they had.
        var changed = 0
    }

    private struct Row {
        let table: String
        let key: Int64
        let pages: [Int]
    }

    let store: URL
    private let folder: TemporaryFolder
    private let model: URL
    private let bytes: [UInt8]
    private let rows: [Row]
    private let pageSize: Int

    /// Brings what the log holds into the copy's file, and notes where its rows are.
    init(_ path: String) throws {
        folder = try TemporaryFolder()
        store = folder.url.appendingPathComponent("Store.sqlite")
        let source = try RawStore(at: try Fixtures.copyOfStore(path))
        try source.copy(to: store)
        bytes = [UInt8](try Data(contentsOf: store))
        model = folder.url.appendingPathComponent("Model.mom")
        try #require(try source.cachedModel()).compiledData().write(to: model)
        let connection = try Connection.open(store.path)
        defer { connection.close() }
        let names = Set(try source.entities().compactMap(\.table))
        var rows: [Row] = []
        var size = 4096
        for name in names {
            let root = try #require(
                try connection.value("SELECT rootpage FROM sqlite_master WHERE name = ?", [.text(name)])?.integer)
            let places = RowPages(bytes, root: Int(root))
            size = places.pageSize
            rows += places.pages.map { Row(table: name, key: $0, pages: $1) }
        }
        self.rows = rows
        pageSize = size
    }

    /// Damages a copy, recovers it, and compares.
    func score(_ random: inout SeededRandom) throws -> Score {
        var damaged = bytes
        var hurt: Set<Int> = []
        let pages = bytes.count / pageSize
        for _ in 0...random.next(below: 3) {
            let page = 1 + random.next(below: pages)
            let range = (page - 1) * pageSize..<page * pageSize
            switch random.next(below: 5) {
            case 0, 1: damaged.replaceSubrange(range, with: Array(repeating: 0, count: pageSize))
            case 2, 3:
                damaged.replaceSubrange(
                    range, with: (0..<pageSize).map { _ in UInt8.random(in: 0...255, using: &random) })
            default:
                damaged.removeLast(min(damaged.count - pageSize, pageSize * random.next(below: max(1, pages / 4))))
                damaged += Array(repeating: 0, count: max(0, bytes.count - damaged.count))
            }
        }
        // A cut in the middle of what was put back as zeros: the file really ends.
        for page in 1...pages
        where damaged[(page - 1) * pageSize..<page * pageSize] != bytes[(page - 1) * pageSize..<page * pageSize] {
            hurt.insert(page)
        }
        let place = folder.url.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: place) }
        let file = place.appendingPathComponent("Damaged.sqlite")
        let isCut = damaged.suffix(pageSize).allSatisfy { $0 == 0 } && random.next(below: 2) == 0
        try Data(isCut ? damaged.dropLast(pageSize / 2) : damaged[...]).write(to: file)
        let target = place.appendingPathComponent("New.sqlite")
        do {
            _ = try StoreRecovery(file, to: target).run()
        } catch let error as InspectionError where error.code == .noModel {
            _ = try StoreRecovery(file, to: target, model: model).run()
        }
        return try compare(target, hurt)
    }

    private func compare(_ target: URL, _ hurt: Set<Int>) throws -> Score {
        let one = try Connection.open(store.path)
        let other = try Connection.open(target.path)
        defer {
            one.close()
            other.close()
        }
        var score = Score()
        for row in rows where hurt.isDisjoint(with: row.pages) {
            score.whole += 1
            let sql = "SELECT * FROM \"\(row.table)\" WHERE Z_PK = ?"
            guard let found = try Self.values(sql, row.key, other) else { continue }
            score.recovered += 1
            if try Self.values(sql, row.key, one) != found { score.changed += 1 }
        }
        return score
    }

    /// The values of a row by their columns, without those of no value.
    private static func values(_ sql: String, _ key: Int64, _ connection: Connection) throws -> [String: Value]? {
        let statement = try connection.prepare(sql)
        try statement.bind(key, at: 1)
        guard try statement.step() else { return nil }
        let pairs = zip(statement.columnNames, statement.values()).filter { $0.1 != .null }
        return Dictionary(pairs.map { ($0.0.uppercased(), $0.1) }, uniquingKeysWith: { first, _ in first })
    }
}
