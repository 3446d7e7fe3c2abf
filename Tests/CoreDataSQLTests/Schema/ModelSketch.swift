import CoreDataSQL

/// A model in a few lines: entities by name with what they inherit from, attributes, and pairs of relationships.
final class ModelSketch {
    let model = NSManagedObjectModel()
    private var entities: [String: NSEntityDescription] = [:]

    /// Adds an entity; attributes are `name: type`.
    @discardableResult
    func entity(
        _ name: String, in parent: String? = nil, _ attributes: KeyValuePairs<String, NSAttributeType> = [:]
    ) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            return attribute
        }
        entities[name] = entity
        if let parent { self[parent].subentities.append(entity) }
        return entity
    }

    subscript(name: String) -> NSEntityDescription {
        entities[name] ?? { preconditionFailure("no entity \(name)") }()
    }

    /// Adds a relationship without an inverse: `"Author.books*"`, a star for to-many and an exclamation mark for ordered.
    @discardableResult
    func relationship(_ text: String, to destination: String) -> NSRelationshipDescription {
        let name = text.split(separator: ".")
        let relationship = NSRelationshipDescription()
        relationship.name = name[1].filter { $0 != "*" && $0 != "!" }
        relationship.destinationEntity = self[destination]
        relationship.maxCount = text.contains("*") ? 0 : 1
        relationship.isOrdered = text.contains("!")
        self[String(name[0])].properties.append(relationship)
        return relationship
    }

    /// Adds two relationships that are each other's inverse.
    func relationships(_ one: String, _ other: String) {
        let first = relationship(one, to: String(other.split(separator: ".")[0]))
        let second = relationship(other, to: String(one.split(separator: ".")[0]))
        first.inverseRelationship = second
        second.inverseRelationship = first
    }

    @discardableResult
    func derived(_ name: String, _ type: NSAttributeType, in entity: String, _ text: String) -> NSAttributeDescription {
        let attribute = NSDerivedAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.derivationText = text
        self[entity].properties.append(attribute)
        return attribute
    }

    var schema: StoreSchema {
        model.entities = entities.values.filter { $0.superentity == nil }
        return StoreSchema(model: model)
    }
}

extension StoreSchema {
    /// The statement that creates a table.
    func sql(_ table: String) -> String? { tables.first { $0.name == table }?.sql }

    func join(_ entity: String, _ relationship: String) -> ToManyMapping.Join? {
        guard case .join(let join) = self.entity(named: entity)?.toMany(relationship)?.storage else { return nil }
        return join
    }

    func foreignKey(_ entity: String, _ relationship: String) -> ToManyMapping.ForeignKey? {
        guard case .foreignKey(let key) = self.entity(named: entity)?.toMany(relationship)?.storage else { return nil }
        return key
    }

    /// A catalog of the schema's own tables.
    var catalog: DatabaseCatalog {
        DatabaseCatalog(
            tables: tables.map { .init(name: $0.name, columns: $0.columns.map(\.name)) },
            entityNumbers: Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0.number) }))
    }
}
