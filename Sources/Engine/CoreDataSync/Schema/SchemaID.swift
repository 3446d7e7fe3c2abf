/// The number by which the format names an entity, an attribute or a relationship: the FNV-1a hash of its renaming identifiers.
///
/// It needs no table, is the same in all versions of a model, and is kept by peers whose model lacks the name.
package struct SchemaID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The number of an entity, by its renaming identifier.
    package init(entity: String) { self.init(hashing: entity) }

    /// The number of a property, by the renaming identifiers of the entity that declares it and its own.
    package init(entity: String, property: String) { self.init(hashing: entity + "." + property) }

    private init(hashing text: String) {
        rawValue = text.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }

    package static func < (left: SchemaID, right: SchemaID) -> Bool { left.rawValue < right.rawValue }

    package var description: String { hexadecimal(UInt64(rawValue), digits: 8) }
}
