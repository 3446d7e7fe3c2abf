extension Schema {
    /// A relationship of an entity.
    public final class Relationship: SchemaProperty, Hashable, @unchecked Sendable {
        /// The name.
        public internal(set) var name = ""
        var declaredOriginalName: String?
        public internal(set) var valueType: any Any.Type = Never.self
        /// Whether the property may have no value.
        public internal(set) var isOptional = false
        /// The key path of the property.
        public internal(set) var keypath: AnyKeyPath?
        /// The name of the entity at the other end.
        public internal(set) var destination = ""
        /// The name of the property at the other end that leads back.
        public internal(set) var inverseName: String?
        /// The key path at the other end, if the declaration gives one.
        public internal(set) var inverseKeyPath: AnyKeyPath?
        /// What becomes of related models when a model is deleted.
        public let deleteRule: DeleteRule
        /// The options, in the order of the source.
        public let options: [Option]
        /// The least count of related models.
        public let minimumModelCount: Int?
        /// The greatest count of related models; 0 for no limit.
        public let maximumModelCount: Int?
        /// A text that changes the version hash.
        public let hashModifier: String?
        /// Whether the relationship leads to at most one model.
        public internal(set) var isToOneRelationship = false
        /// Whether the source has the relationship without `@Relationship`.
        var isBare = false

        /// Describes a relationship by its rules; the name and the type are those of the property.
        public init(
            _ options: Option..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
            maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
            hashModifier: String? = nil
        ) {
            self.options = options
            self.deleteRule = deleteRule
            self.minimumModelCount = minimumModelCount
            self.maximumModelCount = maximumModelCount
            declaredOriginalName = originalName
            inverseKeyPath = inverse
            self.hashModifier = hashModifier
        }

        /// A relationship with the rules of a declared one, or the usual ones.
        init(declared other: Relationship?) {
            options = other?.options ?? []
            deleteRule = other?.deleteRule ?? .nullify
            minimumModelCount = other?.minimumModelCount ?? 0
            maximumModelCount = other?.maximumModelCount ?? 0
            declaredOriginalName = other?.declaredOriginalName
            inverseKeyPath = other?.inverseKeyPath
            hashModifier = other?.hashModifier
        }

        public var originalName: String { declaredOriginalName ?? name }
        /// Whether the property is an attribute.
        public var isAttribute: Bool { false }
        /// Whether the property is a relationship.
        public var isRelationship: Bool { true }
        public var isTransient: Bool { false }
        /// Whether no two models may have the same value.
        public var isUnique: Bool { options.contains(.unique) }

        public static func == (one: Relationship, other: Relationship) -> Bool {
            one.name == other.name && one.destination == other.destination && one.inverseName == other.inverseName
                && one.deleteRule == other.deleteRule && one.valueType == other.valueType
        }

        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }
}

extension Schema.Relationship {
    /// What happens to the models at the other end when a model is deleted.
    public enum DeleteRule: String, Codable, Sendable {
        /// The related models remain as they are.
        case noAction, nullify, cascade, deny
    }

    /// An option of a relationship.
    public struct Option: Hashable, Sendable {
        private let name: String
        /// No two models have one model at the other end.
        public static let unique = Option(name: "unique")
        /// The models at the other end have an order, which the store keeps. Not in Apple's framework, whose files have
        /// no such relationship.
        public static let ordered = Option(name: "ordered")
    }
}
