import CoreData
import SQLiteKit
import TestBasics
import Testing

@Suite("A hierarchy of forty entities")
struct LargeHierarchyTests {
    /// Forty entities in a tree of three children each, two of them abstract; siblings with attributes of one name,
    /// names with digits, ordered many-to-many relationships over and within the tree.
    private static func model() -> NSManagedObjectModel {
        let entities = (0..<40).map { number in
            var attributes = [SampleStore.attribute("value\(number)", .integer64AttributeType)]
            if number == 0 { attributes += ["note", "note1"].map { SampleStore.attribute($0, .stringAttributeType) } }
            // Siblings at the lowest level have attributes of one name, so that columns get digits.
            if number >= 13 { attributes += ["same", "same1"].map { SampleStore.attribute($0, .stringAttributeType) } }
            let entity = SampleStore.entity("Node\(number)", attributes)
            entity.isAbstract = number == 1 || number == 5
            return entity
        }
        for parent in 0..<13 { entities[parent].subentities = (1...3).map { entities[parent * 3 + $0] } }
        let group = SampleStore.entity("Group2", [SampleStore.attribute("title3", .stringAttributeType)])
        SampleStore.connect(group, "members2", toMany: true, entities[0], "groups1", toMany: true)
        group.relationshipsByName["members2"]?.isOrdered = true
        entities[0].relationshipsByName["groups1"]?.isOrdered = true
        SampleStore.connect(entities[7], "next2", toMany: true, entities[8], "previous2", toMany: true)
        entities[7].relationshipsByName["next2"]?.isOrdered = true
        SampleStore.connect(entities[2], "owner", toMany: false, entities[3], "owned", toMany: true)
        entities[3].relationshipsByName["owned"]?.isOrdered = true
        let model = NSManagedObjectModel()
        model.entities = entities + [group]
        return model
    }

    @Test("written, read back and compared, with every value and every order (STO-14, STO-15)")
    func roundTrip() throws {
        let seed = TestSeed.first
        var random = SeededRandom(seed: seed)
        let url = try Fixtures.temporaryFolder().appendingPathComponent("Nodes.sqlite")
        let first = try Opened(url, model: Self.model())
        var objects: [NSManagedObject] = []
        for number in 0..<40 where ![1, 5].contains(number) {
            for copy in 0..<5 {
                let object = NSEntityDescription.insertNewObject(forEntityName: "Node\(number)", into: first.context)
                for (name, attribute) in object.entity.attributesByName {
                    let text: Any = "\(name) \(number).\(copy)"
                    let value: Any = attribute.attributeType == .stringAttributeType ? text : number * 100 + copy
                    object.setValue(value, forKey: name)
                }
                objects.append(object)
            }
        }
        let groups = (0..<6).map { number in
            let group = NSEntityDescription.insertNewObject(forEntityName: "Group2", into: first.context)
            group.setValue("Group \(number)", forKey: "title3")
            group.setValue(NSOrderedSet(array: Array(objects.shuffled(using: &random).prefix(30))), forKey: "members2")
            return group
        }
        func kind(_ name: String) -> [NSManagedObject] {
            objects.filter {
                $0.entity.isKindOf(entity: first.coordinator.managedObjectModel.entitiesByName[name] ?? $0.entity)
            }
        }
        for object in kind("Node7") {
            object.setValue(
                NSOrderedSet(array: Array(kind("Node8").shuffled(using: &random).prefix(7))), forKey: "next2")
        }
        let owners = kind("Node3")
        for object in kind("Node2") { object.setValue(owners.randomElement(using: &random), forKey: "owner") }
        for object in objects.prefix(20) {
            let shuffled = object.orderedKeys("groups1").shuffled(using: &random)
            let mine = shuffled.compactMap { key in groups.first { $0 === key } }
            object.setValue(NSOrderedSet(array: mine), forKey: "groups1")
        }
        try first.context.save()
        let expected = try Self.text(first)
        #expect(expected.count == 38 * 5 + 6)
        try first.coordinator.remove(first.store)

        let second = try Opened(url, model: Self.model())
        #expect(try Self.text(second) == expected, "seed \(seed)")
        #expect(second.store.problems == [])
        #expect(second.reports.isEmpty)

        // Changes of the orders, an insertion in the middle and a deletion, read back again.
        let all = try second.fetch("Group2")
        for group in all {
            let members = NSMutableOrderedSet(orderedSet: group.value(forKey: "members2") as? NSOrderedSet ?? [])
            members.exchangeObject(at: 3, withObjectAt: 20)
            members.removeObject(at: 10)
            group.setValue(members, forKey: "members2")
        }
        second.context.delete(try #require(try second.fetch("Node30").first))
        try second.context.save()
        let changed = try Self.text(second)
        #expect(changed != expected)
        let third = try Opened(url, model: Self.model())
        #expect(try Self.text(third) == changed, "seed \(seed)")
        let connection = try Connection.open(url.path)
        #expect(try connection.integrityFaults() == [])
        let tables = try connection.catalog().tables.map(\.name)
        #expect(tables.filter { $0.hasPrefix("ZNODE") || $0.hasPrefix("ZGROUP") } == ["ZGROUP2", "ZNODE0"])
    }

    private static func text(_ open: Opened) throws -> [String] {
        let model = open.coordinator.managedObjectModel
        return try model.entities.filter { $0.superentity == nil }.flatMap { entity in
            try open.fetch(entity.name ?? "").map { object in
                let attributes = object.entity.attributesByName.keys.sorted().map {
                    "\($0)=\(object.value(forKey: $0).map { "\($0)" } ?? "nil")"
                }
                let relationships = object.entity.relationshipsByName.sorted { $0.key < $1.key }.map {
                    name, relationship in
                    let members = object.orderedKeys(name).map { "\($0.objectID.uriRepresentation().path)" }
                    return "\(name)=\(relationship.isOrdered ? members : members.sorted())"
                }
                return ([object.objectID.uriRepresentation().path] + attributes + relationships).joined(separator: ";")
            }
        }.sorted()
    }
}

extension NSManagedObject {
    /// The objects at the other end of a relationship of any kind, in their order.
    fileprivate func orderedKeys(_ name: String) -> [NSManagedObject] {
        switch value(forKey: name) {
        case let one as NSManagedObject: [one]
        case let set as NSOrderedSet: set.array as? [NSManagedObject] ?? []
        case let set as NSSet: set.allObjects as? [NSManagedObject] ?? []
        default: []
        }
    }
}
