import Foundation

/// In which pages of a sound file each row of a table is: read by following the tree, as nothing else here does.
///
/// Not for damaged files: it believes all that it reads.
struct RowPages {
    private let bytes: [UInt8]
    let pageSize: Int
    private let usable: Int
    /// The pages of each row, by its key: its leaf, then its overflow pages.
    private(set) var pages: [Int64: [Int]] = [:]

    init(_ bytes: [UInt8], root: Int) {
        self.bytes = bytes
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        pageSize = size == 1 ? 65_536 : size
        usable = pageSize - Int(bytes[20])
        walk(root)
    }

    private func number(_ offset: Int, _ count: Int) -> Int {
        bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private func variable(_ offset: inout Int) -> Int {
        var value = 0
        for place in 0..<9 {
            let byte = bytes[offset]
            offset += 1
            if place == 8 { return value << 8 | Int(byte) }
            value = value << 7 | Int(byte & 0x7F)
            if byte < 0x80 { break }
        }
        return value
    }

    private mutating func walk(_ page: Int) {
        let start = (page - 1) * pageSize
        let head = start + (page == 1 ? 100 : 0)
        let isLeaf = bytes[head] == 13
        let cells = (0..<number(head + 3, 2)).map { start + number(head + (isLeaf ? 8 : 12) + 2 * $0, 2) }
        guard isLeaf else {
            for cell in cells { walk(number(cell, 4)) }
            return walk(number(head + 8, 4))
        }
        for cell in cells {
            var place = cell
            let length = variable(&place)
            let key = Int64(variable(&place))
            pages[key] = [page] + overflow(length, place)
        }
    }

    private func overflow(_ length: Int, _ place: Int) -> [Int] {
        guard length > usable - 35 else { return [] }
        let least = (usable - 12) * 32 / 255 - 23
        let kept = least + (length - least) % (usable - 4)
        var next = number(place + (kept <= usable - 35 ? kept : least), 4)
        var chain: [Int] = []
        while next != 0 {
            chain.append(next)
            next = number((next - 1) * pageSize, 4)
        }
        return chain
    }
}
