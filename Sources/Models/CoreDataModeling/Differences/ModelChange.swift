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
    /// The name of the entity that declares the item; nil for items that belong to the model.
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

/// One difference between two models: what was done to one item.
package struct ModelChange: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        case added
        case removed
        case changed
        /// The item has another name; its renaming identifier shows that it is the same.
        case renamed(from: String)
        /// Other entities of the same inheritance hierarchy declared the property before.
        case moved(from: [String])
    }

    /// The item in the new model, or in the old one if it was removed.
    package let item: ModelItem
    package let action: Action
    /// The settings that differ, in the order of comparison.
    package let aspects: [ModelAspect]
    /// Whether the change affects the version hash of an entity.
    package let changesVersionHash: Bool
}

/// One setting of an item that differs between two models.
package struct ModelAspect: Hashable, Sendable {
    package let name: String
    /// The value in the old model; nil if it does not have the setting.
    package let old: String?
    /// The value in the new model; nil if it does not have the setting.
    package let new: String?
    /// Whether the setting is part of the version hash.
    package let isHashed: Bool
    /// Whether only sources have the setting, which compiled models leave out.
    package let isOfSource: Bool
}
