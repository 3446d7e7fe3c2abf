import CoreData

/// The entities and properties of a model that rules hide from one user.
///
/// 1. The subentities of a hidden entity are hidden too, and a hidden property is hidden in all subentities.
/// 2. A property that is hidden in one entity is hidden in the entity that declares it.
/// 3. A relationship is hidden if it could lead to an object of a hidden entity.
/// 4. A calculated property is hidden if it could reveal something of a hidden one: a derived attribute
///    whose expression names it, and every fetched property where anything is hidden.
package struct HiddenParts: Hashable, Sendable {
    package private(set) var entities: Set<String> = []
    /// Properties, each with the entity that declares it.
    private var properties: Set<Property> = []

    private struct Property: Hashable, Sendable {
        let entity: String
        let name: String
    }

    /// The parts that a user may not see; nil if there are none.
    init?(of model: NSManagedObjectModel, from access: BrowserAccess) {
        guard access.mayHideSome else { return nil }
        entities = Set(model.entities.filter { !access.may(.read, entity: $0) }.compactMap(\.name))
        for entity in model.entities where !entities.contains(entity.name ?? "") {
            for name in entity.propertiesByName.keys where !access.may(.read, entity: entity, key: name) {
                properties.insert(Self.property(name, of: entity))
            }
        }
        guard !entities.isEmpty || !properties.isEmpty else { return nil }
        let names = Set(properties.map(\.name))
        for entity in model.entities where !entities.contains(entity.name ?? "") {
            for (name, property) in entity.propertiesByName where Self.couldReveal(property, of: names) {
                properties.insert(Self.property(name, of: entity))
            }
        }
    }

    /// Whether a property that an entity has or inherits is hidden.
    package func contains(_ name: String, of entity: NSEntityDescription) -> Bool {
        entities.contains(entity.name ?? "") || properties.contains(Self.property(name, of: entity))
    }

    /// Whether an object of an entity may be shown.
    package func shows(entity name: String) -> Bool { !entities.contains(name) }

    private static func property(_ name: String, of entity: NSEntityDescription) -> Property {
        var declaring = entity
        while let parent = declaring.superentity, parent.propertiesByName[name] != nil { declaring = parent }
        return Property(entity: declaring.name ?? "", name: name)
    }

    private static func couldReveal(_ property: NSPropertyDescription, of hidden: Set<String>) -> Bool {
        switch property {
        case is NSFetchedPropertyDescription: return true
        case let derived as NSDerivedAttributeDescription:
            guard let expression = derived.derivationExpression?.description else { return false }
            return hidden.contains { expression.contains($0) }
        default: return false
        }
    }
}
