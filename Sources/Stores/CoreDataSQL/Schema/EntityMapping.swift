/// Where the objects of one entity are stored, including inherited properties.
package struct EntityMapping: Sendable, Equatable {
    package let name: String
    /// The number of the entity (`Z_ENT`).
    package let number: Int
    /// The number of the superentity (`Z_SUPER`); 0 for a root entity.
    package let superNumber: Int
    /// The number of the root entity, whose table contains all rows of the hierarchy and whose row in `Z_PRIMARYKEY`
    /// allocates keys.
    package let rootNumber: Int
    /// The numbers of the entity and all its descendants, ascending.
    package let familyNumbers: [Int]
    package let isAbstract: Bool
    package internal(set) var table: String

    /// The stored attributes, by name in byte order; for composites, their elements by path.
    package internal(set) var attributes: [AttributeMapping]
    /// By name in byte order.
    package internal(set) var toOnes: [ToOneMapping]
    /// By name in byte order.
    package internal(set) var toManys: [ToManyMapping]
    /// The columns for to-many relationships without inverse whose destination is this entity.
    package internal(set) var foreignKeys: [ForeignKeyMapping]

    /// Whether the table contains rows of no other entity. Apple's statements do not read `Z_ENT` then.
    package var isAloneInTable: Bool { number == rootNumber && familyNumbers.count == 1 && !isAbstract }

    /// Returns the mapping of an attribute that is not composite.
    package func attribute(_ name: String) -> AttributeMapping? {
        attributes.first { $0.name == name && $0.elementPath.isEmpty }
    }

    /// Returns the mapping of an attribute, or of an element of a composite one (`color.red`).
    package func attribute(at path: String) -> AttributeMapping? {
        attributes.first { ([$0.name] + $0.elementPath).joined(separator: ".") == path }
    }

    package func toOne(_ name: String) -> ToOneMapping? { toOnes.first { $0.name == name } }

    package func toMany(_ name: String) -> ToManyMapping? { toManys.first { $0.name == name } }
}
