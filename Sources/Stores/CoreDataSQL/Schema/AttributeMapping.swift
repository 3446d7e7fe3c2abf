import CoreDataStore

/// Where an attribute, or one element of a composite attribute, is stored.
package struct AttributeMapping: Sendable, Equatable {
    /// The name of the entity's property.
    package let name: String
    /// The path of names to the element within a composite attribute; empty for an attribute that is not composite.
    package let elementPath: [String]
    package let type: NSAttributeType
    package let columnType: ColumnType
    package internal(set) var column: String
    /// Whether the attribute allows external storage; in SQLite its values then begin with a byte that says where they
    /// are.
    package let allowsExternalStorage: Bool
    /// How a derived value is computed; nil for an attribute that is not derived.
    package let derivation: Derivation?
}
