import CoreData

/// The description of a model in a trace, as `ModelNote` writes it: entities, properties and indexes without their
/// details.
package struct TraceModel: Sendable {
    package struct Relationship: Sendable, Hashable {
        package let name: String
        package let destination: String
        package let isToMany: Bool
    }

    package struct Entity: Sendable {
        package let name: String
        package let parent: String?
        package let attributes: [(name: String, type: UInt, isTransient: Bool)]
        package let relationships: [Relationship]
        /// The keys of each index.
        package let indexes: [[String]]
    }

    package private(set) var entities: [String: Entity] = [:]

    /// Reads the JSON of a model block; skips invalid elements, and reads no entities from invalid JSON.
    init(_ bytes: Data) {
        let note = (try? JSONSerialization.jsonObject(with: bytes)) as? [String: Any]
        for element in note?["entities"] as? [[String: Any]] ?? [] {
            guard let name = element["name"] as? String else { continue }
            entities[name] = Entity(
                name: name, parent: element["parent"] as? String,
                attributes: (element["attributes"] as? [[String: Any]] ?? []).compactMap { note in
                    guard let name = note["name"] as? String, let type = note["type"] as? Int, type >= 0 else {
                        return nil
                    }
                    return (name, UInt(type), note["transient"] as? Bool ?? false)
                },
                relationships: (element["relationships"] as? [[String: Any]] ?? []).compactMap { note in
                    guard let name = note["name"] as? String, let destination = note["to"] as? String else {
                        return nil
                    }
                    return Relationship(
                        name: name, destination: destination, isToMany: note["many"] as? Bool ?? false)
                },
                indexes: (element["indexes"] as? [[String: Any]] ?? []).map { $0["keys"] as? [String] ?? [] })
        }
    }

    /// The entity and its superentities, the nearest first; ends even if a damaged file has a cycle.
    package func line(of name: String) -> [Entity] {
        var line: [Entity] = []
        var next: String? = name
        while let name = next, let entity = entities[name], line.count < entities.count {
            line.append(entity)
            next = entity.parent
        }
        return line
    }

    /// Whether two entities are the same, or one is a direct or indirect superentity of the other.
    package func isRelated(_ one: String, _ other: String) -> Bool {
        line(of: one).contains { $0.name == other } || line(of: other).contains { $0.name == one }
    }

    /// The relationships of an entity, inherited ones too.
    package func relationships(of name: String) -> [Relationship] { line(of: name).flatMap(\.relationships) }
}
