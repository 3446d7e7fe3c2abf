import CoreData

/// A version of a model as plain values, in which things keep their identity whatever their names become.
package struct VersionSketch {
    package struct Attribute {
        package let id: Int
        package var name: String
        package var identifier: String?
        package var type: NSAttributeType
        package var isOptional = true
        package var defaultValue: Int?
        /// Whether large values are kept in files.
        package var isExternal = false
    }

    /// An attribute that is derived: a text in capitals, or how many objects there are at the other end.
    package struct Derived {
        package enum Source: Equatable {
            case capitals(attribute: Int)
            case count(end: Int)
        }

        package let id: Int
        package let name: String
        package let source: Source
    }

    /// An index over attributes of its own.
    package struct Index {
        package let name: String
        package var attributes: [Int]
    }

    /// One end of a relationship; its other end may be missing.
    package struct End {
        package let id: Int
        package var name: String
        package var identifier: String?
        package var owner: Int
        package var isToMany: Bool
        package var isOrdered: Bool
    }

    /// Two ends, or one end and the entity that it leads to.
    package struct Relationship {
        package let id: Int
        package var first: End
        package var second: End?
        package var destination: Int
    }

    package struct Entity {
        package let id: Int
        package var name: String
        package var identifier: String?
        package var parent: Int?
        package var isAbstract = false
        package var attributes: [Attribute] = []
        /// The attribute of its own whose values must be unique.
        package var unique: Int?
        package var derived: [Derived] = []
        package var indexes: [Index] = []
    }

    package var entities: [Entity] = []
    package var relationships: [Relationship] = []
    package var lastID = 0

    package mutating func newID() -> Int {
        lastID += 1
        return lastID
    }

    package func entity(_ id: Int) -> Entity? { entities.first { $0.id == id } }

    package func index(_ id: Int) -> Int? { entities.firstIndex { $0.id == id } }

    /// The entity and those above it.
    package func lineage(_ id: Int) -> [Entity] {
        var line: [Entity] = []
        var next = entity(id)
        while let present = next {
            line.append(present)
            next = present.parent.flatMap(entity)
        }
        return line
    }

    package func isKind(_ id: Int, of other: Int) -> Bool { lineage(id).contains { $0.id == other } }

    /// All attributes of an entity, inherited ones included.
    package func attributes(_ id: Int) -> [Attribute] { lineage(id).flatMap(\.attributes) }

    /// All derived attributes of an entity, inherited ones included.
    package func derived(_ id: Int) -> [Derived] { lineage(id).flatMap(\.derived) }

    /// The ends of relationships that an entity has, inherited ones included.
    package func ends(_ id: Int) -> [End] {
        relationships.flatMap { [$0.first, $0.second].compactMap(\.self) }.filter { isKind(id, of: $0.owner) }
    }

    package var concrete: [Entity] { entities.filter { !$0.isAbstract } }

    /// Takes away the derived attributes and indexes whose sources are gone.
    package mutating func prune() {
        for place in entities.indices {
            let entity = entities[place]
            entities[place].derived = entity.derived.filter { expression($0, of: entity.id) != nil }
            let own = Set(entity.attributes.map(\.id))
            entities[place].indexes.removeAll { !own.isSuperset(of: $0.attributes) }
        }
    }

    /// What a derived attribute is derived by, as the model editor has it; nil if it has no source.
    private func expression(_ derived: Derived, of entity: Int) -> String? {
        switch derived.source {
        case .capitals(let id): attributes(entity).first { $0.id == id }.map { "uppercase:(\($0.name))" }
        case .count(let id): ends(entity).first { $0.id == id && $0.isToMany }.map { "\($0.name).@count" }
        }
    }

    // MARK: The model

    package func model() -> NSManagedObjectModel {
        let descriptions = Dictionary(
            uniqueKeysWithValues: entities.map { entity -> (Int, NSEntityDescription) in
                let description = NSEntityDescription()
                description.name = entity.name
                description.isAbstract = entity.isAbstract
                description.renamingIdentifier = entity.identifier
                description.properties = entity.attributes.map(Self.description)
                if let unique = entity.attributes.first(where: { $0.id == entity.unique }) {
                    description.uniquenessConstraints = [[unique.name]]
                }
                description.properties += entity.derived.map { self.description($0, of: entity.id) }
                description.indexes = entity.indexes.map { index in
                    let names = entity.attributes.filter { index.attributes.contains($0.id) }.map(\.name)
                    let elements = names.compactMap { description.attributesByName[$0] }.map {
                        NSFetchIndexElementDescription(property: $0, collationType: .binary)
                    }
                    return NSFetchIndexDescription(name: index.name, elements: elements)
                }
                return (entity.id, description)
            })
        for entity in entities {
            guard let parent = entity.parent, let above = descriptions[parent], let own = descriptions[entity.id] else {
                continue
            }
            above.subentities.append(own)
        }
        for relationship in relationships {
            let first = Self.description(relationship.first)
            first.destinationEntity = descriptions[relationship.destination]
            descriptions[relationship.first.owner]?.properties.append(first)
            guard let end = relationship.second else { continue }
            let second = Self.description(end)
            second.destinationEntity = descriptions[relationship.first.owner]
            descriptions[end.owner]?.properties.append(second)
            (first.inverseRelationship, second.inverseRelationship) = (second, first)
        }
        let model = NSManagedObjectModel()
        model.entities = entities.compactMap { descriptions[$0.id] }
        return model
    }

    private func description(_ derived: Derived, of entity: Int) -> NSDerivedAttributeDescription {
        let description = NSDerivedAttributeDescription()
        description.name = derived.name
        description.isOptional = true
        switch derived.source {
        case .capitals: description.attributeType = .stringAttributeType
        case .count: description.attributeType = .integer64AttributeType
        }
        description.derivationText = expression(derived, of: entity) ?? ""
        return description
    }

    private static func description(_ attribute: Attribute) -> NSAttributeDescription {
        let description: NSAttributeDescription
        if attribute.type == .compositeAttributeType {
            let composite = NSCompositeAttributeDescription()
            composite.elements = SampleValue.elements.map { name, type in
                let element = NSAttributeDescription()
                (element.name, element.attributeType, element.isOptional) = (name, type, true)
                return element
            }
            description = composite
        } else {
            description = NSAttributeDescription()
        }
        description.name = attribute.name
        description.renamingIdentifier = attribute.identifier
        if attribute.type != .compositeAttributeType { description.attributeType = attribute.type }
        description.isOptional = attribute.isOptional
        description.allowsExternalBinaryDataStorage = attribute.isExternal
        description.defaultValue = attribute.defaultValue.map { SampleValue.value($0, attribute.type) }
        return description
    }

    private static func description(_ end: End) -> NSRelationshipDescription {
        let description = NSRelationshipDescription()
        description.name = end.name
        description.renamingIdentifier = end.identifier
        description.maxCount = end.isToMany ? 0 : 1
        description.isOrdered = end.isToMany && end.isOrdered
        description.isOptional = true
        return description
    }
}

/// Values of attributes made of small numbers, and back.
package enum SampleValue {
    package static let types: [NSAttributeType] = [
        .stringAttributeType, .integer32AttributeType, .doubleAttributeType, .dateAttributeType, .booleanAttributeType,
        .binaryDataAttributeType, .UUIDAttributeType, .compositeAttributeType,
    ]

    /// What a composite consists of.
    package static let elements: [(name: String, type: NSAttributeType)] = [
        ("text", .stringAttributeType), ("number", .integer32AttributeType),
    ]

    package static func value(_ number: Int, _ type: NSAttributeType) -> Any {
        switch type {
        case .stringAttributeType: "text \(number)"
        case .integer32AttributeType: number
        case .doubleAttributeType: Double(number) + 0.5
        case .dateAttributeType: Date(timeIntervalSinceReferenceDate: Double(number))
        case .booleanAttributeType: NSNumber(value: number % 2)
        case .compositeAttributeType:
            Dictionary(uniqueKeysWithValues: elements.map { ($0.name, value(number, $0.type)) })
        case .UUIDAttributeType: UUID(uuidString: String(format: "00000000-0000-0000-0000-%012d", number)) ?? UUID()
        case _ where number % 100 >= 95: Data(repeating: UInt8(number % 100), count: 120_000)
        default: Data("bytes \(number)".utf8)
        }
    }

    /// A value as a text that is equal for equal values only.
    package static func text(_ value: Any?) -> String {
        switch value {
        case nil: "nil"
        case let data as Data where data.count > 1_000: "data \(data.count): \(Set(data))"
        case let data as Data: "data \(data.base64EncodedString())"
        case let values as [AnyHashable: Any]:
            values.map { "\($0.key): \(text($0.value))" }.sorted().joined(separator: ", ")
        case let values as [Any]: "[\(values.map(text).joined(separator: ", "))]"
        case let date as Date: "date \(date.timeIntervalSinceReferenceDate)"
        case let value?: "\(value)"
        }
    }
}
