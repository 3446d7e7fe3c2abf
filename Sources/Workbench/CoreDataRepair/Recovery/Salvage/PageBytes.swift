/// The bytes of a page; reading at any offset is safe, and returns nil outside of the page.
struct PageBytes {
    let bytes: [UInt8]

    func byte(_ offset: Int) -> UInt8? { bytes.indices.contains(offset) ? bytes[offset] : nil }

    /// The unsigned big-endian 16-bit number at an offset.
    func short(_ offset: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - 2 else { return nil }
        return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
    }

    /// The unsigned big-endian 32-bit number at an offset.
    func word(_ offset: Int) -> UInt32? {
        guard offset >= 0, offset <= bytes.count - 4 else { return nil }
        return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// SQLite's varint at an offset: one to nine bytes, the first eight with seven bits each. Moves the offset past it.
    func variable(_ offset: inout Int) -> Int64? {
        var value: UInt64 = 0
        for place in 0..<9 {
            guard let byte = byte(offset) else { return nil }
            offset += 1
            if place == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { return Int64(bitPattern: value) }
        }
        return nil
    }
}

/// A set of page numbers, stored as a bitmap.
struct PageSet {
    private var words: [UInt64]
    private(set) var count = 0

    init(pages: Int) { words = Array(repeating: 0, count: pages / 64 + 1) }

    func contains(_ page: Int) -> Bool {
        page >= 0 && page >> 6 < words.count && words[page >> 6] & (1 << UInt64(page & 63)) != 0
    }

    /// Adds a page; returns false if the set contains the page already, or if the file has no such page.
    mutating func insert(_ page: Int) -> Bool {
        guard page >= 0, page >> 6 < words.count, !contains(page) else { return false }
        words[page >> 6] |= 1 << UInt64(page & 63)
        count += 1
        return true
    }
}
