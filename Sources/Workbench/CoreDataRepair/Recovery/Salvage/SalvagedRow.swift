import SQLiteKit

/// A row that was read from a leaf page of a damaged file.
package struct SalvagedRow: Sendable {
    package let key: Int64
    /// The row's values in the order of the columns; nil for a value of which bytes are missing.
    package let values: [Value?]
    /// The number of the leaf page that contains the row's cell.
    package let page: Int
}

/// Reads rows from the cells of leaf pages and from their overflow pages.
struct CellReader {
    /// SQLite's own upper limits for the bytes and the columns of a row; a cell that exceeds them is not a row.
    private static let greatestPayload = 1_000_000_000
    private static let mostColumns = 32_767

    let pages: SalvagedPages

    /// The row in the cell at an offset, and the overflow pages that it uses; nil for bytes that are not a row.
    func row(at start: Int, in page: PageBytes, number: Int) -> (row: SalvagedRow, overflow: [Int])? {
        var place = start
        guard let length = page.variable(&place), length > 0, length <= Self.greatestPayload,
            Int(length) <= pages.count * pages.usable, let key = page.variable(&place)
        else { return nil }
        let length64 = Int(length)
        let local = localLength(length64)
        guard place + local <= pages.usable else { return nil }
        var payload = Array(page.bytes[place..<place + local])
        var overflow: [Int] = []
        if local < length64 {
            guard let first = page.word(place + local) else { return nil }
            overflow = follow(Int(first), into: &payload, length64)
        }
        guard let values = values(PageBytes(bytes: payload), length64) else { return nil }
        return (SalvagedRow(key: key, values: values, page: number), overflow)
    }

    /// How many bytes of a payload of a length are in the leaf page; the others are in overflow pages.
    private func localLength(_ length: Int) -> Int {
        let usable = pages.usable
        guard length > usable - 35 else { return length }
        let least = (usable - 12) * 32 / 255 - 23
        let kept = least + (length - least) % (usable - 4)
        return kept <= usable - 35 ? kept : least
    }

    /// Appends the bytes of a chain of overflow pages to a payload until it has `length` bytes; returns the used pages.
    ///
    /// Stops early at a page that is missing or no overflow page, and if the chain is shorter or longer than the
    /// payload.
    private func follow(_ first: Int, into payload: inout [UInt8], _ length: Int) -> [Int] {
        var used: [Int] = []
        var next = first
        while payload.count < length {
            guard next > 1, pages.pointer(to: next).map({ $0.kind == 3 || $0.kind == 4 }) ?? true,
                let page = pages.page(next), let follower = page.word(0)
            else { return used }
            let part = min(pages.usable - 4, length - payload.count)
            let isLast = payload.count + part == length
            // If the chain ends before or after the payload's last byte, this page belongs to another row by now.
            guard isLast == (follower == 0) else { return used }
            used.append(next)
            payload += page.bytes[4..<4 + part]
            next = Int(follower)
        }
        return used
    }

    /// The values of a record, nil for each value that is cut off; nil for bytes that are not a record of `length`
    /// bytes.
    private func values(_ payload: PageBytes, _ length: Int) -> [Value?]? {
        var place = 0
        guard let headerLength = payload.variable(&place), headerLength >= Int64(place), headerLength <= Int64(length),
            headerLength <= Int64(payload.bytes.count)
        else { return nil }
        var kinds: [Int64] = []
        var total = headerLength
        while place < headerLength {
            guard let kind = payload.variable(&place), kind >= 0, kind != 10, kind != 11,
                kinds.count < Self.mostColumns
            else { return nil }
            kinds.append(kind)
            let (sum, overflow) = total.addingReportingOverflow(Self.size(kind))
            guard !overflow, sum <= Int64(length) else { return nil }
            total = sum
        }
        guard place == headerLength, total == Int64(length), !kinds.isEmpty else { return nil }
        return kinds.map { kind in
            let size = Int(Self.size(kind))
            defer { place += size }
            guard place + size <= payload.bytes.count else { return nil }
            return value(kind, payload.bytes[place..<place + size])
        }
    }

    private static func size(_ kind: Int64) -> Int64 {
        switch kind {
        case 0, 8, 9: 0
        case 1...4: kind
        case 5: 6
        case 6, 7: 8
        default: (kind - 12) / 2
        }
    }

    private func value(_ kind: Int64, _ bytes: ArraySlice<UInt8>) -> Value {
        switch kind {
        case 0: return .null
        case 8, 9: return .integer(kind - 8)
        case 1...6:
            let sign: Int64 = bytes.first.map { $0 >= 0x80 ? -1 : 0 } ?? 0
            return .integer(bytes.reduce(sign) { $0 << 8 | Int64($1) })
        case 7:
            let real = Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
            return real.isNaN ? .null : .real(real)
        default: return kind % 2 == 0 ? .blob(Array(bytes)) : .text(text(bytes))
        }
    }

    /// The text in the file's encoding; invalid bytes become U+FFFD.
    private func text(_ bytes: ArraySlice<UInt8>) -> String {
        guard pages.encoding != .utf8 else { return String(decoding: bytes, as: UTF8.self) }
        let isBig = pages.encoding == .utf16Big
        let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { place in
            let pair = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isBig ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0
        }
        return String(decoding: units, as: UTF16.self)
    }
}
