/// What sync has to know of a model.
package struct SyncSchema: Sendable {
    package let entities: [SchemaID: SyncEntity]
    package let relationships: [SchemaID: SyncRelationship]
    private let entitiesByName: [String: SchemaID]

    /// Makes a schema.
    ///
    /// - Parameters:
    ///   - superentities: The superentity of each entity that has one.
    /// - Throws: ``SchemaError`` if two names have the same number.
    package init(
        entities: [SyncEntity], relationships: [SyncRelationship] = [], superentities: [SchemaID: SchemaID] = [:]
    ) throws {
        var byID: [SchemaID: SyncEntity] = [:]
        for entity in entities {
            if let other = byID.updateValue(entity, forKey: entity.id) {
                throw SchemaError(first: other.name, second: entity.name)
            }
        }
        var pairs: [SchemaID: SyncRelationship] = [:]
        for relationship in relationships {
            if let other = pairs.updateValue(relationship, forKey: relationship.id) {
                throw SchemaError(first: other.source.name, second: relationship.source.name)
            }
        }
        for id in byID.keys {
            var lineage: Set<SchemaID> = [id]
            var next = superentities[id]
            while let one = next, lineage.insert(one).inserted { next = superentities[one] }
            let sorted = relationships.sorted { $0.id < $1.id }
            byID[id]?.outgoing = sorted.filter { lineage.contains($0.source.entity) }
            byID[id]?.incoming = sorted.filter { $0.target.map { lineage.contains($0.entity) } ?? false }
        }
        try Self.checkAttributes(of: entities)
        self.entities = byID
        self.relationships = pairs
        entitiesByName = Dictionary(entities.map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
    }

    private static func checkAttributes(of entities: [SyncEntity]) throws {
        for entity in entities {
            var names: [SchemaID: String] = [:]
            for attribute in entity.attributes {
                if let other = names.updateValue(attribute.name, forKey: attribute.id) {
                    throw SchemaError(first: entity.name + "." + other, second: entity.name + "." + attribute.name)
                }
            }
        }
    }

    package func entity(named name: String) -> SyncEntity? { entitiesByName[name].flatMap { entities[$0] } }

    /// A digest of all that a state depends on, by which a changed model is noticed.
    package var fingerprint: UInt32 {
        var writer = ByteWriter()
        for entity in entities.values.sorted(by: { $0.id < $1.id }) {
            writer.write(text: "\(entity.id) \(entity.name) \(entity.deletion.rawValue)")
            for attribute in entity.attributes.sorted(by: { $0.id < $1.id }) {
                writer.write(text: "\(attribute.id) \(attribute.name) \(attribute.rule.name)")
            }
            for constraint in entity.constraints { writer.write(text: "\(constraint.id) \(constraint.attributes)") }
            for pair in entity.outgoing + entity.incoming { writer.write(text: "\(pair)") }
        }
        return Checksum.crc32(writer.bytes)
    }
}

/// Two names of a model that have the same number in the format; the cure is a renaming identifier for one of them.
package struct SchemaError: Error, CustomStringConvertible {
    package let first: String
    package let second: String

    package var description: String {
        "'\(first)' and '\(second)' have the same number in the format of sync; give one of them another renaming identifier"
    }
}
