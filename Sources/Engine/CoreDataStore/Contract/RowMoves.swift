import CoreDataModeling

/// Where the rows of a store went that a migration by a mapping model made again: entries of the side table. A user of the table that
/// refers to rows by their keys follows them when it opens the store, and then removes them.
///
/// An entry's key is `0x01`, the key of the former row in eight bytes, the greatest first, and the name of the root of its entity's
/// hierarchy in UTF-8; its value is a list of new rows, in the order in which the mapping made them: each the key, the length of the
/// name of its entity in two bytes, and the name. Names are renaming identifiers where the model has them. An entry with the key `0x01`
/// alone says that there was a migration, also if no row was made of a former one.
package enum RowMoves {
    /// The first byte of the entries' keys.
    package static let prefix: [UInt8] = [1]

    /// Says that there was a migration.
    package static let mark = SideEntry(key: prefix, value: [1])

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

    package static func key(_ source: Source) -> [UInt8] {
        prefix + SideNumber.bytes(UInt64(bitPattern: source.key), 8) + Array(source.root.utf8)
    }

    package static func value(_ destinations: [Destination]) -> [UInt8] {
        destinations.flatMap { destination -> [UInt8] in
            let name = Array(destination.entity.utf8.prefix(Int(UInt16.max)))
            return SideNumber.bytes(UInt64(bitPattern: destination.key), 8) + SideNumber.bytes(UInt64(name.count), 2)
                + name
        }
    }

    /// The former row of an entry's key; nil for another key.
    package static func source(_ bytes: [UInt8]) -> Source? {
        guard bytes.count > 9, bytes.starts(with: prefix) else { return nil }
        return Source(
            root: String(decoding: bytes[9...], as: UTF8.self), key: Int64(bitPattern: SideNumber.number(bytes[1..<9])))
    }

    /// The new rows of an entry's value; what is cut off or damaged is left out.
    package static func destinations(_ bytes: [UInt8]) -> [Destination] {
        var found: [Destination] = []
        var rest = bytes[...]
        while rest.count > 10 {
            let start = rest.startIndex
            let count = Int(SideNumber.number(rest[(start + 8)..<(start + 10)]))
            guard rest.count >= 10 + count else { break }
            let name = rest[(start + 10)..<(start + 10 + count)]
            let key = Int64(bitPattern: SideNumber.number(rest[start..<(start + 8)]))
            found.append(Destination(entity: String(decoding: name, as: UTF8.self), key: key))
            rest = rest.dropFirst(10 + count)
        }
        return found
    }
}

extension NSEntityDescription {
    /// The name that stays when the entity is renamed: its renaming identifier, or its name.
    package var stableName: String { renamingIdentifier ?? name ?? "" }
}
