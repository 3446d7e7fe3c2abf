import CoreData
import Foundation

/// What models and their parts say of themselves.
enum ModelBehaviours {
    private static func person(_ name: String, _ ask: @escaping @Sendable (NSEntityDescription) -> String) -> Behaviour
    {
        Behaviour(name: "entity: \(name)", filled: false) { world in
            guard let entity = world.model.entitiesByName["Person"] else { return "none" }
            return ask(entity)
        }
    }

    private static func sorted(_ names: some Sequence<String>) -> String { names.sorted().joined(separator: " ") }

    static let all: [Behaviour] = [
        person("attributes") { sorted($0.attributesByName.keys) },
        person("relationships") { sorted($0.relationshipsByName.keys) },
        person("properties") { sorted($0.propertiesByName.keys) }, person("class") { $0.managedObjectClassName },
        person("relationships to teams") { entity in
            sorted(
                entity.relationshipsByName.values.first { $0.name == "team" }?.destinationEntity.map {
                    entity.relationships(forDestination: $0).map(\.name)
                } ?? [])
        },
        person("hash of the person") { $0.versionHash.base64EncodedString() },
        person("hash of the name") { $0.attributesByName["name"]?.versionHash.base64EncodedString() ?? "none" },
        person("hash of the pets") { $0.relationshipsByName["pets"]?.versionHash.base64EncodedString() ?? "none" },
        person("default of the age") { Rendering.text(of: $0.attributesByName["age"]?.defaultValue) },
        person("to-many") { entity in sorted(entity.relationshipsByName.values.filter(\.isToMany).map(\.name)) },
        Behaviour(name: "defaults of a new object", filled: false) { world in
            let keys = ["name", "age", "score", "note", "isActive", "team"]
            return Rendering.text(of: world.insert("Person").dictionaryWithValues(forKeys: keys))
        },
        Behaviour(name: "metadata has the hashes", filled: false) { world in
            let metadata = world.coordinator.metadata(for: world.coordinator.persistentStores[0])
            return "\(world.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)) "
                + sorted((metadata[NSStoreModelVersionHashesKey] as? [String: Any])?.keys.map { $0 } ?? [])
        },
        Behaviour(name: "URI of an object") { world in
            let identifier = try world.person("Ann").objectID
            let uri = identifier.uriRepresentation()
            return "\(uri.scheme ?? "none") \(uri.pathComponents.count) "
                + "\(world.coordinator.managedObjectID(forURIRepresentation: uri) == identifier)"
        },
    ]
}
