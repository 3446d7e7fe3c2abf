import CoreDataModeling

/// Describes a model in a trace: the names and types of its properties and indexes, from which the reader derives
/// advice on prefetching and indexes.
enum ModelNote {
    /// A JSON object; empty if the description cannot be encoded.
    static func json(_ model: NSManagedObjectModel) -> [UInt8] {
        let note: [String: Any] = ["entities": model.entities.map(entity)]
        return (try? JSONSerialization.data(withJSONObject: note, options: [.sortedKeys])).map(Array.init) ?? []
    }

    private static func entity(_ entity: NSEntityDescription) -> [String: Any] {
        let inherited = Set(entity.superentity?.propertiesByName.keys.map { $0 } ?? [])
        var note: [String: Any] = ["name": entity.name ?? ""]
        if let parent = entity.superentity?.name { note["parent"] = parent }
        note["attributes"] = entity.attributesByName.values.filter { !inherited.contains($0.name) }.map {
            ["name": $0.name, "type": Int($0.attributeType.rawValue), "transient": $0.isTransient] as [String: Any]
        }
        note["relationships"] = entity.relationshipsByName.values.filter { !inherited.contains($0.name) }.map {
            ["name": $0.name, "to": $0.destinationEntity?.name ?? "", "many": $0.isToMany] as [String: Any]
        }
        note["indexes"] = entity.indexes.map { index in
            ["name": index.name, "keys": index.elements.compactMap(\.propertyName)]
                as [String: Any]
        }
        return note
    }
}
