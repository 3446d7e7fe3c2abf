import CoreDataGraph
import Foundation

extension Schema {
    /// An attribute of an entity.
    public class Attribute: SchemaProperty, Hashable, @unchecked Sendable {
        /// The name.
        public internal(set) var name: String
        var declaredOriginalName: String?
        public internal(set) var valueType: any Any.Type
        /// The default value, if the declaration has one.
        public internal(set) var defaultValue: Any?
        /// The options, in the order of the source.
        public let options: [Option]
        /// A text that changes the version hash.
        public let hashModifier: String?
        /// Whether the property may have no value.
        public internal(set) var isOptional = false

        /// Describes an attribute by options; the name and the type are those of the property.
        public init(_ options: Option..., originalName: String? = nil, hashModifier: String? = nil) {
            name = ""
            valueType = Never.self
            self.options = options
            declaredOriginalName = originalName
            self.hashModifier = hashModifier
        }

        /// Describes an attribute with its name and type.
        public required init(
            name: String, originalName: String? = nil, options: [Option] = [], valueType: any Any.Type,
            defaultValue: Any? = nil, hashModifier: String? = nil
        ) {
            self.name = name
            self.valueType = valueType
            self.options = options
            self.defaultValue = defaultValue
            declaredOriginalName = originalName
            self.hashModifier = hashModifier
            isOptional = valueType is any OptionalType.Type
        }

        public var originalName: String { declaredOriginalName ?? name }
        /// Whether the property is an attribute.
        public var isAttribute: Bool { true }
        /// Whether the property is a relationship.
        public var isRelationship: Bool { false }
        public var isTransient: Bool { options.contains(.ephemeral) }
        /// Whether no two models may have the same value.
        public var isUnique: Bool { options.contains(.unique) }
        /// Whether a transformer makes the stored value.
        public var isTransformable: Bool { options.contains { $0.transformerName != nil } }
        /// Whether the value is stored as its encoder writes it.
        public var isCodable: Bool { options.contains(.codable) }

        public static func == (one: Attribute, other: Attribute) -> Bool {
            one.name == other.name && one.valueType == other.valueType && one.options == other.options
                && one.originalName == other.originalName && one.hashModifier == other.hashModifier
        }

        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    /// An attribute that groups others: those of a structure, or the cases of an enumeration.
    public final class CompositeAttribute: Attribute, @unchecked Sendable {
        /// The attributes of the group.
        public internal(set) var properties: [Attribute] = []
    }
}

extension Schema.Attribute {
    /// An option of an attribute.
    public struct Option: Hashable, Sendable, CustomDebugStringConvertible {
        public let debugDescription: String
        let transformerName: String?

        private init(_ name: String, transformerName: String? = nil) {
            debugDescription = name
            self.transformerName = transformerName
        }

        /// No two models have one value.
        public static let unique = Option("unique")
        /// Large values are in files beside the store.
        public static let externalStorage = Option("externalStorage")
        /// No store has the value.
        public static let ephemeral = Option("ephemeral")
        /// Part of the schema, without effect here.
        public static let spotlight = Option("spotlight")
        /// Part of the schema, without effect here.
        public static let allowsCloudEncryption = Option("allowsCloudEncryption")
        /// The history of a deletion keeps the value.
        public static let preserveValueOnDeletion = Option("preserveValueOnDeletion")
        /// The value is stored as its encoder writes it.
        public static let codable = Option("codable")

        /// A transformer makes the stored value; the one registered under the name of its class without the module, or
        /// else one that is made of the class and registered.
        public static func transformable(by transformer: AnyClass) -> Option {
            let name = NSValueTransformerName(String(describing: transformer))
            if ValueTransformer(forName: name) == nil {
                let found = ValueTransformer(forName: NSValueTransformerName(String(reflecting: transformer)))
                ValueTransformer.setValueTransformer(found, forName: name)
            }
            return transformable(by: name.rawValue)
        }

        /// The transformer with a name makes the stored value.
        public static func transformable(by name: String) -> Option {
            Option("transformable(by: \(name))", transformerName: name)
        }
    }
}
