import CoreData
import StoreContract
import Testing

/// A batch deletion that would empty a required relationship of objects that stay.
@Suite("Batch deletions and required inverses")
struct MandatoryInverseTests {
    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }

    /// Days own talks, talks have one role each that needs them, rooms need at least two talks, tags one.
    static func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        for name in ["Day", "Talk", "Role", "Slide", "Room", "Tag"] {
            builder.entity(name, ["name": .stringAttributeType])
        }
        builder.relationships("Day.talks*", "Talk.day", .cascadeDeleteRule)
        builder.relationships("Talk.role", "Role.talk")
        builder.relationships("Talk.slides*", "Slide.talk")
        builder.relationships("Talk.room", "Room.talks*")
        builder.relationships("Talk.tags*", "Tag.talks*")
        for (entity, name, least) in [
            ("Role", "talk", 0), ("Slide", "talk", 0), ("Room", "talks", 2), ("Tag", "talks", 1),
        ] {
            builder[entity].relationshipsByName[name]?.isOptional = false
            if least > 0 { builder[entity].relationshipsByName[name]?.minCount = least }
        }
        return builder.model
    }

    init() throws { stack = try Stack(Self.model()) }

    private func talk(_ name: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        context.insert("Talk", values.merging(["name": name]) { first, _ in first })
    }

    private func expectRefusal(
        _ reason: String, deleting entity: String, where predicate: NSPredicate? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try contents()
        let error = #expect(throws: NSError.self, sourceLocation: sourceLocation) {
            _ = try stack.delete(entity, where: predicate)
        }
        #expect(error?.domain == NSCocoaErrorDomain, sourceLocation: sourceLocation)
        #expect(error?.code == NSPersistentStoreSaveConflictsError, sourceLocation: sourceLocation)
        let text = "Constraint trigger violation: Batch delete failed due to mandatory \(reason)"
        #expect(error?.localizedFailureReason == text, sourceLocation: sourceLocation)
        #expect(try contents() == before, sourceLocation: sourceLocation)
    }

    private func contents() throws -> [[String]] {
        try ["Day", "Talk", "Role", "Slide", "Room", "Tag"].map { try stack.stored("name", of: $0) }
            + [stack.stored("talk", of: "Role"), stack.stored("talk", of: "Slide"), stack.stored("talks", of: "Room")]
    }

    @Test("a batch that empties a required to-one inverse is refused, one to one, and deletes nothing (CTX-36)")
    func oneToOne() throws {
        context.insert("Role", ["name": "r", "talk": talk("a")])
        try context.save()
        try expectRefusal("OTO nullify inverse on Talk/role", deleting: "Talk")
        #expect(try stack.delete("Role") as? Int == 1)
        #expect(try stack.delete("Talk") as? Int == 1)
    }

    @Test("a batch that empties a required to-one inverse of many objects is refused (CTX-36)")
    func oneToMany() throws {
        context.insert("Slide", ["name": "s", "talk": talk("a")])
        try context.save()
        try expectRefusal("OTM nullify inverse on Talk/slides", deleting: "Talk")
    }

    @Test("a batch that leaves fewer members than a required to-many inverse demands is refused (CTX-36)")
    func manyToOne() throws {
        let room = context.insert("Room", ["name": "r"])
        for name in ["a", "b", "c"] { _ = talk(name, ["room": room]) }
        try context.save()
        #expect(try stack.delete("Talk", where: NSPredicate(format: "name == 'c'")) as? Int == 1)
        try expectRefusal(
            "MTO nullify inverse on Talk/room", deleting: "Talk", where: NSPredicate(format: "name == 'b'"))
        #expect(try stack.stored("talks", of: "Room") == ["a+b"])
    }

    @Test("several members that one object loses are counted against it once, by a cascade too (CTX-36)")
    func severalOfOneOwner() throws {
        let day = context.insert("Day", ["name": "d"])
        let (small, large) = (context.insert("Room", ["name": "s"]), context.insert("Room", ["name": "l"]))
        for (name, room) in [("a", small), ("b", small), ("c", small), ("d", large), ("e", large), ("f", large)] {
            _ = talk(name, name < "d" ? ["room": room, "day": day] : ["room": room])
        }
        try context.save()
        let reason = "MTO nullify inverse on Talk/room"
        try expectRefusal(reason, deleting: "Talk", where: NSPredicate(format: "name IN {'b', 'c'}"))
        try expectRefusal(reason, deleting: "Talk", where: NSPredicate(format: "name IN {'a', 'b', 'c'}"))
        try expectRefusal(reason, deleting: "Day")
        try expectRefusal(reason, deleting: "Talk", where: NSPredicate(format: "name IN {'a', 'e', 'f'}"))
        #expect(try stack.delete("Talk", where: NSPredicate(format: "name IN {'a', 'd'}")) as? Int == 2)
        #expect(try stack.stored("talks", of: "Room") == ["e+f", "b+c"])
    }

    @Test("a batch that takes the last partner of a required many-to-many inverse is refused (CTX-36)")
    func manyToMany() throws {
        let tag = context.insert("Tag", ["name": "t"])
        for name in ["a", "b"] { talk(name).setValue(NSSet(object: tag), forKey: "tags") }
        try context.save()
        try expectRefusal("MTM nullify inverse on Talk/tags", deleting: "Talk")
        let second = context.insert("Tag", ["name": "u"])
        for name in ["c", "d", "e"] { talk(name).setValue(NSSet(objects: tag, second), forKey: "tags") }
        try context.save()
        try expectRefusal(
            "MTM nullify inverse on Talk/tags", deleting: "Talk", where: NSPredicate(format: "name IN {'c', 'd', 'e'}"))
        #expect(try stack.delete("Talk", where: NSPredicate(format: "name IN {'d', 'e'}")) as? Int == 2)
    }

    @Test("rows that go by a cascade count as deleted by the batch (CTX-36)")
    func rowsThatGoByCascadeCountAsDeletedByBatch() throws {
        let day = context.insert("Day", ["name": "d"])
        context.insert("Role", ["name": "r", "talk": talk("a", ["day": day])])
        try context.save()
        try expectRefusal("OTO nullify inverse on Talk/role", deleting: "Day")
    }

    @Test("a required inverse that is deleted in the same batch does not prevent the deletion (CTX-36)")
    func sameBatch() throws {
        let builder = ModelBuilder()
        builder.entity("Node", ["name": .stringAttributeType])
        builder.relationships("Node.next", "Node.previous")
        builder["Node"].relationshipsByName["previous"]?.isOptional = false
        let stack = try Stack(builder.model)
        let (a, b) = (stack.context.insert("Node", ["name": "a"]), stack.context.insert("Node", ["name": "b"]))
        a.setValue(b, forKey: "next")
        b.setValue(a, forKey: "next")
        try stack.context.save()
        #expect(throws: NSError.self) { _ = try stack.delete("Node", where: NSPredicate(format: "name == 'a'")) }
        #expect(try stack.stored("name", of: "Node") == ["a", "b"])
        #expect(try stack.delete("Node") as? Int == 2)
    }
}
