/// One item of a model: its kind, its entity, and its name.
package struct ModelItem: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        case model
        case entity
        case attribute
        case relationship
        case fetchedProperty = "fetched property"
        case index
        case constraint
        case configuration
        case fetchRequest = "fetch request"
    }

    package let kind: Kind
    /// The entity that declares it; nil for what belongs to the model.
    package let entity: String?
    package let name: String

    package init(_ kind: Kind, _ name: String, of entity: String? = nil) {
        self.kind = kind
        self.entity = entity
        self.name = name
    }

    init(_ property: NSPropertyDescription) {
        let kind: Kind =
            switch property {
            case is NSRelationshipDescription: .relationship
            case is NSFetchedPropertyDescription: .fetchedProperty
            default: .attribute
            }
        self.init(kind, property.name, of: property.entity?.name)
    }

    init(_ entity: NSEntityDescription) { self.init(.entity, entity.name ?? "") }

    /// `Entity.name`, or the name alone.
    package var path: String { entity.map { "\($0).\(name)" } ?? name }
}

/// One difference between two models: what became of one thing.
package struct ModelChange: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        case added
        case removed
        case changed
        /// Another name; the identifier of the new one, or what it says, shows that it is the same thing.
        case renamed(from: String)
        /// Declared by another entity of the same line of inheritance before.
        case moved(from: [String])
    }

    /// The thing as the new model names it, or the old one if it is gone.
    package let item: ModelItem
    package let action: Action
    /// What differs in it, in the order in which it is compared.
    package let aspects: [ModelAspect]
    /// Whether the version hash of an entity is another because of it.
    package let changesVersionHash: Bool
}

/// One statement about a thing that two models make differently.
package struct ModelAspect: Hashable, Sendable {
    package let name: String
    /// What the old model says; nil if nothing.
    package let old: String?
    /// What the new model says; nil if nothing.
    package let new: String?
    /// Whether the statement is part of the version hash.
    package let isHashed: Bool
    /// Whether only sources make the statement, which a compiled model leaves out.
    package let isOfSource: Bool
}
