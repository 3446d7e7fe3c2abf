import CoreDataStore

/// Where an attribute, or one element of a composite attribute, is stored.
package struct AttributeMapping: Sendable, Equatable {
    /// The name of the entity's property.
    package let name: String
    /// The names that lead to the element within a composite attribute; empty for any other attribute.
    package let elementPath: [String]
    package let type: NSAttributeType
    package let columnType: ColumnType
    package internal(set) var column: String
    /// Whether the bytes are prefixed and may stand in a file beside the store.
    package let allowsExternalStorage: Bool
    /// How a derived value is computed.
    package let derivation: Derivation?
}
