/// Searches bytes for a sequence of bytes in time linear in the length of both.
enum ByteSearch {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    static func contains(_ text: Bytes, _ part: Bytes) -> Bool {
        guard let first = part.first else { return true }
        guard part.count <= text.count else { return false }
        return part.count <= 16 ? containsShort(text, part: part, first: first) : containsLong(text, part)
    }

    /// Trying each place is fastest while the part is short.
    private static func containsShort(_ text: Bytes, part: Bytes, first: UInt8) -> Bool {
        for start in 0...(text.count - part.count) where text[start] == first {
            var length = 1
            while length < part.count, text[start + length] == part[length] { length += 1 }
            if length == part.count { return true }
        }
        return false
    }

    /// The method of Knuth, Morris and Pratt, which never moves backwards in the text.
    private static func containsLong(_ text: Bytes, _ part: Bytes) -> Bool {
        let borders = borders(of: part)
        var matched = 0
        for byte in text {
            while matched > 0, byte != part[matched] { matched = borders[matched - 1] }
            if byte == part[matched] { matched += 1 }
            if matched == part.count { return true }
        }
        return false
    }

    /// For each prefix of the part, the length of the longest proper prefix that also ends it.
    private static func borders(of part: Bytes) -> [Int] {
        var borders = [0]
        borders.reserveCapacity(part.count)
        var length = 0
        for byte in part.dropFirst() {
            while length > 0, byte != part[length] { length = borders[length - 1] }
            if byte == part[length] { length += 1 }
            borders.append(length)
        }
        return borders
    }
}
