import CoreDataSync

/// The model of the simulator, in two versions: every merge rule, every kind of relationship, delete rule and constraint.
package enum SimulatedModel {
    package static let versions = [1, 2]

    package static func schema(version: Int) throws -> SyncSchema {
        try SyncSchema(entities: entities(version), relationships: relationships)
    }

    private static func attribute(_ entity: String, _ name: String, id: String? = nil, _ rule: MergeRule = .lastWriter)
        -> SyncAttribute
    { SyncAttribute(name, id: SchemaID(entity: entity, property: id ?? name), rule: rule) }

    private static func constraint(_ entity: String, _ names: [String]) -> UniqueConstraint {
        UniqueConstraint(
            id: SchemaID(entity: entity, property: names.joined(separator: ",")),
            attributes: names.map { SchemaID(entity: entity, property: $0) })
    }

    private static func entities(_ version: Int) -> [SyncEntity] {
        // The second version renames a person's name and adds an attribute and an entity.
        let name = version == 1 ? attribute("Person", "name") : attribute("Person", "fullName", id: "name")
        var person = [
            name, attribute("Person", "email"), attribute("Person", "score", .counter),
            attribute("Person", "best", .greatest), attribute("Person", "origin", .firstWriter),
            attribute("Person", "lowest", .least), attribute("Person", "longest", .greatest),
            attribute("Person", "tags", .set),
            attribute("Person", "words", .custom("join")), attribute("Person", "portrait"),
        ]
        if version > 1 { person.append(attribute("Person", "nick")) }
        var entities = [
            SyncEntity(
                "Person", id: SchemaID(entity: "Person"), attributes: person,
                constraints: [constraint("Person", ["email"])]),
            SyncEntity(
                "Team", id: SchemaID(entity: "Team"),
                attributes: [attribute("Team", "title"), attribute("Team", "code")],
                constraints: [constraint("Team", ["code"])]),
            SyncEntity("Item", id: SchemaID(entity: "Item"), attributes: [attribute("Item", "title")]),
            SyncEntity(
                "Contract", id: SchemaID(entity: "Contract"),
                attributes: [attribute("Contract", "text"), attribute("Contract", "pages", .counter)],
                deletion: .editRevives),
            SyncEntity(
                "Club", id: SchemaID(entity: "Club"),
                attributes: [attribute("Club", "place"), attribute("Club", "kind"), attribute("Club", "motto")],
                constraints: [constraint("Club", ["place", "kind"])]),
            SyncEntity("Badge", id: SchemaID(entity: "Badge"), attributes: [attribute("Badge", "number")]),
            SyncEntity("Witness", id: SchemaID(entity: "Witness"), attributes: [attribute("Witness", "text")]),
        ]
        if version > 1 {
            entities.append(SyncEntity("Memo", id: SchemaID(entity: "Memo"), attributes: [attribute("Memo", "text")]))
        }
        return entities
    }

    private static func pair(
        _ source: SyncRelationship.End, _ target: SyncRelationship.End?
    ) -> SyncRelationship {
        let id = SchemaID(entity: "\(source.entity)", property: source.name)
        return SyncRelationship(id: id, source: source, target: target)
    }

    private static let partner = SyncRelationship.End(SchemaID(entity: "Person"), "partner")
    private static let friends = SyncRelationship.End(
        SchemaID(entity: "Person"), "friends", isToMany: true, maximumCount: 3)

    private static let relationships: [SyncRelationship] = [
        pair(
            .init(SchemaID(entity: "Person"), "team"),
            .init(SchemaID(entity: "Team"), "members", isToMany: true, isOrdered: true)),
        pair(
            .init(SchemaID(entity: "Item"), "owner", isMandatory: true),
            .init(SchemaID(entity: "Person"), "items", isToMany: true, deleteRule: .cascade)),
        pair(
            .init(SchemaID(entity: "Contract"), "team"),
            .init(SchemaID(entity: "Team"), "contracts", isToMany: true, deleteRule: .deny)),
        pair(
            .init(SchemaID(entity: "Club"), "people", isToMany: true, maximumCount: 2),
            .init(SchemaID(entity: "Person"), "clubs", isToMany: true)),
        pair(
            .init(SchemaID(entity: "Badge"), "holder", isMandatory: true),
            .init(SchemaID(entity: "Person"), "badge", deleteRule: .cascade)),
        pair(partner, partner),
        pair(friends, friends),
    ]

    package static let functions: MergeFunctions = [
        "join": { values in
            var words: Set<String> = []
            for case .string(let text) in values { words.formUnion(text.split(separator: " ").map(String.init)) }
            return .string(words.sorted().joined(separator: " "))
        }
    ]
}
