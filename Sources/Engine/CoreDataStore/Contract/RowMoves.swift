/// Where the rows of a store went that a migration by a mapping model made again: entries of the side table. A user of the table that
/// refers to rows by their keys follows them when it opens the store, and then removes them.
///
/// An entry's key is `0x01`, the key of the former row in eight bytes, the greatest first, and the name of the root of its entity's
/// hierarchy in UTF-8; its value is a list of new rows, in the order in which the mapping made them: each the key, the length of the
/// name of its entity in two bytes, and the name. Names are renaming identifiers where the model has them.
package enum RowMoves {
    /// The first byte of the entries' keys.
    package static let prefix: [UInt8] = [1]

    /// A former row.
    package struct Source: Hashable, Sendable {
        package let root: String
        package let key: Int64

        package init(root: String, key: Int64) {
            self.root = root
            self.key = key
        }
    }

    /// A row that was made of a former one.
    package struct Destination: Hashable, Sendable {
        package let entity: String
        package let key: Int64

        package init(entity: String, key: Int64) {
            self.entity = entity
            self.key = key
        }
    }

    package static func key(_ source: Source) -> [UInt8] { prefix + bytes(source.key) + Array(source.root.utf8) }

    package static func value(_ destinations: [Destination]) -> [UInt8] {
        destinations.flatMap { destination -> [UInt8] in
            let name = Array(destination.entity.utf8.prefix(Int(UInt16.max)))
            return bytes(destination.key) + [UInt8(name.count >> 8), UInt8(name.count & 0xFF)] + name
        }
    }

    /// The former row of an entry's key; nil for another key.
    package static func source(_ bytes: [UInt8]) -> Source? {
        guard bytes.count > 9, bytes.starts(with: prefix) else { return nil }
        return Source(root: String(decoding: bytes[9...], as: UTF8.self), key: number(bytes[1..<9]))
    }

    /// The new rows of an entry's value; what is cut off or damaged is left out.
    package static func destinations(_ bytes: [UInt8]) -> [Destination] {
        var found: [Destination] = []
        var rest = bytes[...]
        while rest.count > 10 {
            let start = rest.startIndex
            let count = Int(rest[start + 8]) << 8 | Int(rest[start + 9])
            guard rest.count >= 10 + count else { break }
            let name = rest[(start + 10)..<(start + 10 + count)]
            found.append(
                Destination(entity: String(decoding: name, as: UTF8.self), key: number(rest[start..<(start + 8)])))
            rest = rest.dropFirst(10 + count)
        }
        return found
    }

    private static func bytes(_ key: Int64) -> [UInt8] {
        let bits = UInt64(bitPattern: key)
        return (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }
}
