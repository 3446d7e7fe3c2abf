import CoreData
import StoreContract

/// The model that a store in XML shows: its entities, attributes by type, and relationships with their inverses.
enum DerivedModel {
    static func make(of data: Data) throws -> NSManagedObjectModel {
        var attributes: [String: [String: NSAttributeType]] = [:]
        var relationships: [String: [String: (destination: String, isToMany: Bool)]] = [:]
        _ = try XMLStoreReader(MarkupEventReader(data)).read { record in
            for value in record.attributes {
                attributes[record.entity, default: [:]][value.name] = type(value.type)
            }
            for value in record.relationships {
                relationships[record.entity, default: [:]][value.name] = (value.destination, value.type == "0/0")
            }
        }
        let builder = ModelBuilder()
        let names = Set(attributes.keys).union(relationships.keys)
            .union(relationships.values.flatMap { $0.values.map(\.destination) })
        for name in names.sorted() {
            let entity = builder.entity(name)
            entity.properties = (attributes[name] ?? [:]).sorted { $0.key < $1.key }.map { name, type in
                let attribute = NSAttributeDescription()
                (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
                return attribute
            }
        }
        var inverses: Set<String> = []
        for (owner, found) in relationships {
            for (name, shape) in found where !shape.isToMany {
                let inverse = (relationships[shape.destination] ?? [:]).first {
                    $0.value.destination == owner && $0.value.isToMany
                }
                guard let inverse else {
                    builder.relationship("\(owner).\(name)", to: shape.destination)
                    continue
                }
                inverses.insert("\(shape.destination).\(inverse.key)")
                builder.relationships("\(owner).\(name)", "\(shape.destination).\(inverse.key)*")
            }
        }
        // Of an entity without records the other end does not show.
        for (owner, found) in relationships {
            for (name, shape) in found where shape.isToMany && !inverses.contains("\(owner).\(name)") {
                builder.relationship("\(owner).\(name)*", to: shape.destination)
            }
        }
        return builder.model
    }

    private static func type(_ name: String) -> NSAttributeType {
        switch name {
        case "bool": .booleanAttributeType
        case "int16": .integer16AttributeType
        case "int32": .integer32AttributeType
        case "binary": .binaryDataAttributeType
        case "date": .dateAttributeType
        default: .stringAttributeType
        }
    }
}
