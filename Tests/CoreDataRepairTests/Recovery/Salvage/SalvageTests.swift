import CoreDataRepair
import Foundation
import SQLiteKit
import TestBasics
import Testing

@Suite("Salvage of database files")
struct SalvageTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A file with a table of several levels, rows with overflow chains, an index and free pages.
    private func database(pageSize: Int64, autoVacuum: Int64) throws -> URL {
        let url = folder.url.appendingPathComponent(UUID().uuidString)
        let connection = try Connection.open(url.path, OpenOptions(mode: .create))
        defer { connection.close() }
        try connection.setPragma("page_size", to: .integer(pageSize))
        try connection.setPragma("auto_vacuum", to: .integer(autoVacuum))
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT, c BLOB, d REAL)")
        try connection.execute("CREATE INDEX i ON t (b)")
        try connection.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900) INSERT INTO t SELECT i, "
                + "(i - 450) * 1000003 * i, 'text ' || i, zeroblob(i * 13 % 9000), i / 7.0 + 0.001 FROM n")
        try connection.execute("DELETE FROM t WHERE id % 5 = 0")
        return url
    }

    /// All rows of the only table; how many there were.
    private func read(_ url: URL, _ body: (SalvagedRow) -> Void = { _ in }) -> Int {
        guard let database = SalvagedDatabase(path: url.path) else { return 0 }
        var count = 0
        for item in database.schema() where item.type == "table" {
            database.forEachRow(root: item.root) { row in
                count += 1
                body(row)
            }
        }
        database.forEachOrphan { _, row in
            count += 1
            body(row)
        }
        return count
    }

    @Test("every row of a sound file is read as SQLite reads it (TOOL-16)", arguments: [512, 4096, 65_536], [0, 2])
    func soundFile(pageSize: Int64, autoVacuum: Int64) throws {
        let url = try database(pageSize: pageSize, autoVacuum: autoVacuum)
        let connection = try Connection.open(url.path)
        let query = try connection.prepare("SELECT NULL, a, b, c, d FROM t WHERE id = ?")
        var wrong = 0
        let count = read(url) { row in
            try? query.bind(row.key, at: 1)
            let isThere = (try? query.step()) == true
            if !isThere || query.values() != row.values.map({ $0 ?? .text("incomplete") }) { wrong += 1 }
            query.reset()
        }
        #expect(count == 720 && wrong == 0)
    }

    @Test("no damage of a byte, no cut and no random bytes make the reader trap or hang (HAZ-04, HAZ-05)")
    func hostileFiles() throws {
        let url = try database(pageSize: 512, autoVacuum: 2)
        let bytes = [UInt8](try Data(contentsOf: url))
        let place = folder.url.appendingPathComponent("hostile")
        var random = SeededRandom(seed: TestSeed.first)
        for round in 0..<(TestSeed.isExhaustive ? 4_000 : 60) {
            var hostile = bytes
            switch round % 3 {
            case 0:
                for _ in 0..<200 { hostile[random.next(below: hostile.count)] ^= UInt8(1 + random.next(below: 255)) }
            case 1: hostile.removeLast(random.next(below: hostile.count))
            default:
                let count = random.next(below: 60_000)
                // The header makes the reader believe the rest.
                hostile =
                    Array(bytes.prefix(100))
                    + (0..<count).map { _ in
                        [0, 5, 13, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
                    }
            }
            try Data(hostile).write(to: place)
            _ = read(place)
        }
        // Each byte of the first page, where all begins.
        for offset in stride(from: 0, to: 512, by: TestSeed.isExhaustive ? 1 : 29) {
            var hostile = bytes
            hostile[offset] ^= 0xFF
            try Data(hostile).write(to: place)
            #expect(read(place) < 10_000)
        }
    }

    @Test("pages that lead to each other are read once (HAZ-04)")
    func pagesThatLeadToEachOtherAreReadOnce() throws {
        let url = try database(pageSize: 512, autoVacuum: 0)
        var bytes = [UInt8](try Data(contentsOf: url))
        // Every child of every interior page becomes the root.
        let root =
            try Connection.open(url.path).value("SELECT rootpage FROM sqlite_master WHERE name = 't'")?.integer ?? 2
        for page in stride(from: 0, to: bytes.count, by: 512) where bytes[page] == 5 {
            bytes.replaceSubrange(page + 8..<page + 12, with: [0, 0, 0, UInt8(root)])
        }
        try Data(bytes).write(to: url)
        #expect(read(url) <= 720)
    }
}
