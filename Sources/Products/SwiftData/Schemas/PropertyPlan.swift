import CoreDataGraph
import Foundation

/// How one property of a model class is stored.
@usableFromInline
final class PropertyPlan: @unchecked Sendable {
    let number: Int
    @usableFromInline let name: String
    let keyPath: AnyKeyPath
    let kind: PropertyKind
    let isOptional: Bool
    let defaultValue: Any?
    let metadata: (any SchemaProperty)?
    /// The type of the property in Swift.
    let valueType: Any.Type
    /// Whether the model has the value itself, in a `let`.
    let isConstant: Bool
    let problem: SwiftDataError?
    /// Whether the relationship keeps an order that the program gives it.
    let isOrdered: Bool
    /// The elements of the default value of a composite.
    let defaultElements: [String: Any]

    init(number: Int, _ source: Schema.PropertyMetadata, entity: String) {
        self.number = number
        name = source.name
        keyPath = source.keypath
        isConstant = source.isConstant
        defaultValue = unwrapped(source.defaultValue)
        metadata = source.metadata
        valueType = type(of: source.keypath).valueType
        let optional = valueType as? any OptionalType.Type
        isOptional = optional != nil
        let attribute = source.metadata as? Schema.Attribute
        kind = Self.kind(of: optional?.wrapped ?? valueType, name: source.name, attribute)
        if case .composite(let plan) = kind, let defaultValue {
            defaultElements = (try? plan.encode(defaultValue)) ?? [:]
        } else {
            defaultElements = [:]
        }
        isOrdered = (source.metadata as? Schema.Relationship)?.options.contains(.ordered) ?? false
        let fullName = "\(entity).\(source.name)"
        problem =
            Self.problem(kind, name: fullName, valueType, source.metadata)
            ?? (source.isConstant ? Self.problemOfConstant(kind, name: fullName) : nil)
    }

    private static func kind(of type: Any.Type, name: String, _ attribute: Schema.Attribute?) -> PropertyKind {
        if let transformer = attribute?.options.lazy.compactMap(\.transformerName).first {
            return .transformed(transformer)
        }
        if attribute?.isCodable == true, let codable = type as? any Codable.Type { return .encoded(codable) }
        return PropertyKind(of: type, name: name)
    }

    private static func problem(
        _ kind: PropertyKind, name: String, _ type: Any.Type, _ metadata: (any SchemaProperty)?
    ) -> SwiftDataError? {
        let isRelationship: Bool
        switch kind {
        case .unsupported:
            return .invalidSchema(
                "No attribute can have the type \(type) of '\(name)': make it Codable, or the property @Transient.")
        case .toOne, .toMany: isRelationship = true
        default: isRelationship = false
        }
        if case .toOne = kind, (metadata as? Schema.Relationship)?.options.contains(.ordered) == true {
            return .invalidSchema("'\(name)' leads to one model, and has the option `ordered`: remove the option.")
        }
        guard let metadata, metadata.isRelationship != isRelationship else { return nil }
        return .invalidSchema(
            "'\(name)' of type \(type) is \(isRelationship ? "a relationship" : "an attribute"), and is declared with "
                + "@\(isRelationship ? "Attribute" : "Relationship").")
    }

    /// A relationship that is a `let` would read the models that it leads to with the model, and theirs.
    private static func problemOfConstant(_ kind: PropertyKind, name: String) -> SwiftDataError? {
        switch kind {
        case .toOne, .toMany: .invalidSchema("The relationship '\(name)' is a `let`: make it a private(set) var.")
        default: nil
        }
    }

    /// The property as a schema shows it.
    func makeProperty() -> any SchemaProperty {
        switch kind {
        case .toOne(let target), .toMany(let target): makeRelationship(target)
        default: makeAttribute()
        }
    }

    private func makeRelationship(_ target: any PersistentModel.Type) -> Schema.Relationship {
        let given = metadata as? Schema.Relationship
        let made = Schema.Relationship(declared: given)
        (made.name, made.valueType, made.isOptional) = (name, valueType, isOptional)
        (made.keypath, made.isBare) = (keyPath, given == nil)
        made.destination = ModelPlan.entityName(of: target)
        if case .toOne = kind { made.isToOneRelationship = true }
        return made
    }

    private func makeAttribute() -> Schema.Attribute {
        let given = metadata as? Schema.Attribute
        let kindOfAttribute: Schema.Attribute.Type
        if case .composite = kind {
            kindOfAttribute = Schema.CompositeAttribute.self
        } else {
            kindOfAttribute = Schema.Attribute.self
        }
        let made = kindOfAttribute.init(
            name: name, originalName: given?.declaredOriginalName, options: given?.options ?? [],
            valueType: valueType, defaultValue: defaultValue, hashModifier: given?.hashModifier)
        if case .composite(let plan) = kind, let composite = made as? Schema.CompositeAttribute {
            composite.properties = plan.elements.map { Schema.Attribute(name: $0.name, valueType: $0.type) }
        }
        return made
    }
}

extension ModelPlan {
    static func entityName(of type: any PersistentModel.Type) -> String { String(describing: type) }
}
