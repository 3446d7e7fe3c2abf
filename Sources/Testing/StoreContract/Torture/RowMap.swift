import CoreDataGraph
import SQLiteKit

/// A map from the byte ranges of cells in an SQLite file to table rows.
///
/// Source of the format: https://www.sqlite.org/fileformat2.html
struct RowMap {
    /// A row of a table.
    struct Row: Hashable {
        let table: String
        let key: Int64
    }

    private let bytes: [UInt8]
    private let pageSize: Int
    private let usable: Int
    private var rows: [(range: Range<Int>, row: Row)] = []

    /// Reads the map of an intact database without a WAL file; invalid pages yield no rows.
    init(of url: URL, bytes data: Data) throws {
        bytes = Array(data)
        let size = bytes.count >= 100 ? Int(bytes[16]) << 8 | Int(bytes[17]) : 0
        pageSize = size == 1 ? 65_536 : size
        usable = pageSize - (bytes.count >= 100 ? Int(bytes[20]) : 0)
        guard pageSize >= 512, usable >= 480 else { return }
        let connection = try Connection.open(url.path, OpenOptions(mode: .readOnly))
        defer { connection.close() }
        for row in try connection.rows("SELECT name, rootpage FROM sqlite_master WHERE type = 'table'") {
            guard let name = row[0].text, let root = row[1].integer else { continue }
            readTable(name, root: Int(root))
        }
    }

    /// The row whose cell contains the byte at an offset; nil if no cell does.
    func row(at offset: Int) -> Row? { rows.first { $0.range.contains(offset) }?.row }

    /// Whether damage is in a row and all differences are in that row or in relationships, whose keys other rows store.
    func explains(_ damage: FileDamage, _ differences: [String], in model: NSManagedObjectModel) -> Bool {
        guard case .flip(let offset, _) = damage, let row = row(at: offset) else { return false }
        return differences.allSatisfy { difference in
            let parts = difference.split(separator: ".", maxSplits: 1).map(String.init)
            let object = parts[0].split(separator: "#").map(String.init)
            guard object.count == 2, let entity = model.entitiesByName[object[0]] else { return false }
            if parts.count == 2, entity.relationshipsByName[parts[1]] != nil { return true }
            var root = entity
            while let parent = root.superentity { root = parent }
            guard row.table.uppercased() == "Z" + (root.name ?? "").uppercased() else { return false }
            // For an object that only one store has, the row's primary key or entity number was changed.
            return parts.count == 1 || object[1] == "p\(row.key)"
        }
    }

    private mutating func readTable(_ name: String, root: Int) {
        var open = [root]
        var seen: Set<Int> = []
        while let page = open.popLast() {
            let start = (page - 1) * pageSize
            guard page > 0, start + pageSize <= bytes.count, seen.insert(page).inserted else { continue }
            let header = start + (page == 1 ? 100 : 0)
            let isLeaf = bytes[header] == 13
            guard isLeaf || bytes[header] == 5 else { continue }
            if !isLeaf { open.append(integer(header + 8, 4)) }
            for cell in 0..<integer(header + 3, 2) {
                let pointer = header + (isLeaf ? 8 : 12) + 2 * cell
                guard pointer + 2 <= start + pageSize else { break }
                let place = start + integer(pointer, 2)
                guard place + 4 <= start + pageSize else { continue }
                if isLeaf { readCell(place, name) } else { open.append(integer(place, 4)) }
            }
        }
    }

    private mutating func readCell(_ place: Int, _ table: String) {
        var end = place
        let size = Int(truncatingIfNeeded: varint(&end))
        let row = Row(table: table, key: varint(&end))
        guard size >= 0, size <= bytes.count else { return }
        let largest = usable - 35
        guard size > largest else { return rows.append((place..<min(end + size, bytes.count), row)) }
        let least = (usable - 12) * 32 / 255 - 23
        let fitting = least + (size - least) % (usable - 4)
        let local = fitting <= largest ? fitting : least
        rows.append((place..<min(end + local + 4, bytes.count), row))
        var next = integer(end + local, 4)
        var rest = size - local
        while next > 0, rest > 0, next * pageSize <= bytes.count {
            let start = (next - 1) * pageSize
            rows.append((start..<start + 4 + min(rest, usable - 4), row))
            rest -= usable - 4
            next = integer(start, 4)
        }
    }

    private func integer(_ offset: Int, _ count: Int) -> Int {
        guard offset >= 0, offset + count <= bytes.count else { return 0 }
        return bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private func varint(_ offset: inout Int) -> Int64 {
        var value: UInt64 = 0
        for position in 0..<9 {
            guard offset < bytes.count else { return 0 }
            let byte = bytes[offset]
            offset += 1
            if position == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { break }
        }
        return Int64(bitPattern: value)
    }
}
