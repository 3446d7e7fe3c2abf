/// Where the objects of one entity are stored: inherited properties included.
package struct EntityMapping: Sendable, Equatable {
    package let name: String
    /// The number of the entity (`Z_ENT`).
    package let number: Int
    /// The number of the superentity, 0 for a root (`Z_SUPER`).
    package let superNumber: Int
    /// The number of the entity whose table holds the whole tree; its row in `Z_PRIMARYKEY` counts the keys.
    package let rootNumber: Int
    /// The numbers of the entity and all its descendants, ascending.
    package let familyNumbers: [Int]
    package let isAbstract: Bool
    package internal(set) var table: String

    /// By name in byte order, the elements of composites by their path; transient ones are not stored.
    package internal(set) var attributes: [AttributeMapping]
    /// By name in byte order.
    package internal(set) var toOnes: [ToOneMapping]
    /// By name in byte order.
    package internal(set) var toManys: [ToManyMapping]
    /// The columns of a row that belong to relationships without inverse that lead to this entity.
    package internal(set) var foreignKeys: [ForeignKeyMapping]

    /// Whether no other entity has rows in the table. Apple's statements do not even read their `Z_ENT`.
    package var isAloneInTable: Bool { number == rootNumber && familyNumbers.count == 1 && !isAbstract }

    /// The mapping of an attribute that is not composite.
    package func attribute(_ name: String) -> AttributeMapping? {
        attributes.first { $0.name == name && $0.elementPath.isEmpty }
    }

    /// The mapping of an attribute, or of an element of a composite one (`color.red`).
    package func attribute(at path: String) -> AttributeMapping? {
        attributes.first { ([$0.name] + $0.elementPath).joined(separator: ".") == path }
    }

    package func toOne(_ name: String) -> ToOneMapping? { toOnes.first { $0.name == name } }

    package func toMany(_ name: String) -> ToManyMapping? { toManys.first { $0.name == name } }
}
