import CoreData
import SQLiteKit
import TestBasics
import Testing

/// A ledger's file read by plain SQL, and the folder around it.
///
/// It is a copy that is read, so that what a crash left is recovered by the store's next process.
struct LedgerFile {
    /// What the check of the whole file finds.
    var faults: [String] = []
    /// The number in the counter's row; nil when there is no row.
    var number: Int?
    /// The states that items and shelves say they are of.
    var generations: Set<Int64> = []
    /// Whether no table has a greater key than `Z_PRIMARYKEY` remembers.
    var keysAreRecorded = true
    /// The names of files that rows have.
    var namedValues: Set<String> = []
    /// Those of them that are not there, or not whole.
    var missingValues: Set<String> = []
    /// Files that no row names.
    var orphans: Set<String> = []
    /// What lies in the folder and is no part of a store.
    var strangers: Set<String> = []

    init(_ url: URL) throws {
        let folder = url.deletingLastPathComponent()
        let name = url.lastPathComponent
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let support = ".\(url.deletingPathExtension().lastPathComponent)_SUPPORT"
        strangers = Set(names).subtracting([name, name + "-wal", name + "-shm", support])
        // Killed before there was a store.
        guard names.contains(name) else { return }
        let copy = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: copy) }
        for part in [name, name + "-wal", name + "-journal"] where names.contains(part) {
            try FileManager.default.copyItem(
                at: folder.appendingPathComponent(part), to: copy.appendingPathComponent(part))
        }
        let connection = try Connection.open(copy.appendingPathComponent(name).path)
        try read(connection)
        try readValues(connection, folder.appendingPathComponent("\(support)/_EXTERNAL_DATA"))
        connection.close()
    }

    private mutating func read(_ connection: Connection) throws {
        faults = try connection.integrityFaults()
        let counters = try connection.rows("SELECT ZNUMBER FROM ZCOUNTER")
        if counters.count > 1 { faults.append("\(counters.count) counters") }
        number = counters.first?[0].integer.map(Int.init)
        for table in ["ZITEM", "ZSHELF"] {
            generations.formUnion(
                try connection.rows("SELECT DISTINCT ZGENERATION FROM \(table)").map { $0[0].integer ?? -1 })
        }
        for row in try connection.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_SUPER = 0 AND Z_ENT < 16000") {
            let table = "Z\(row[0].text?.uppercased() ?? "")"
            let greatest = try connection.value("SELECT ifnull(max(Z_PK), 0) FROM \(table)")?.integer ?? 0
            if greatest > row[1].integer ?? 0 { keysAreRecorded = false }
        }
    }

    private mutating func readValues(_ connection: Connection, _ folder: URL) throws {
        let rows = try connection.rows(
            "SELECT substr(ZPAYLOAD, 2, 36) FROM ZITEM WHERE hex(substr(ZPAYLOAD, 1, 1)) = '02'")
        for row in rows {
            guard case .blob(let bytes) = row[0] else { continue }
            namedValues.insert(String(decoding: bytes, as: UTF8.self))
        }
        let files = Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        orphans = files.subtracting(namedValues)
        missingValues = namedValues.filter { name in
            let path = folder.appendingPathComponent(name).path
            let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
            return size <= 102_400
        }
    }
}
