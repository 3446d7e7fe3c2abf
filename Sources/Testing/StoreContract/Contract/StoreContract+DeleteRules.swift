import CoreDataGraph
import TestBasics
import Testing

extension StoreContract {
    static let deleteRules = [
        Clause("REL-15: nullify takes the object out of the other side at the end of the event", nullify),
        Clause("REL-16: cascade deletes the whole tree, objects never loaded included", cascadeOfUnloaded),
        Clause("REL-16: cascade goes through several entities and leaves the others", cascadeThroughEntities),
        Clause("REL-16: cascade ends in a circle", cascadeInCircle),
        Clause("REL-18: no action leaves the reference, and touching what is gone is reported", noAction),
        Clause("REL-19: an unsaved, deleted object is gone from its owner's set without a save", unsavedDeleted),
        Clause("REL-07: a deleted object loses its many-to-many pairs on both sides", manyToManyPairs),
    ]

    @Sendable private static func nullify(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let ann = stack.context.insert("Hero", ["name": "Ann"])
        let team = stack.context.insert("Team", ["name": "T", "members": NSSet(array: [ann])])
        let power = stack.context.insert("Power", ["name": "P", "hero": ann])
        try stack.context.save()
        stack.context.delete(power)
        stack.context.processPendingChanges()
        #expect(ann.related("powers").isEmpty)
        stack.context.delete(team)
        try stack.context.save()
        #expect(ann.related("teams").isEmpty)
        let again = try stack.reopened().context.named("Ann", "Hero")
        #expect(again.related("powers").isEmpty && again.related("teams").isEmpty)
    }

    @Sendable private static func cascadeOfUnloaded(_ store: ContractStore) throws {
        var stack = try store.open(HeroModel.make())
        let ann = stack.context.insert("Hero", ["name": "Ann"])
        for name in ["P", "Q"] { stack.context.insert("Power", ["name": name, "hero": ann]) }
        stack.context.insert("Power", ["name": "R"])
        try stack.context.save()
        stack = try stack.reopened()
        stack.context.delete(try stack.context.named("Ann", "Hero"))
        try stack.context.save()
        stack = try stack.reopened()
        #expect(try stack.context.all("Hero").isEmpty)
        #expect(try stack.context.texts("Power") == ["R"])
    }

    @Sendable private static func cascadeThroughEntities(_ store: ContractStore) throws {
        let builder = ModelBuilder()
        for name in ["House", "Room", "Chair", "Guest"] { builder.entity(name, ["name": .stringAttributeType]) }
        builder.relationships("House.rooms*", "Room.house", .cascadeDeleteRule)
        builder.relationships("Room.chairs*!", "Chair.room", .cascadeDeleteRule)
        builder.relationships("Chair.guest", "Guest.chair")
        var stack = try store.open(builder.model)
        for house in ["1", "2"] {
            let made = stack.context.insert("House", ["name": house])
            for room in ["a", "b"] {
                let room = stack.context.insert("Room", ["name": house + room, "house": made])
                let guest = stack.context.insert("Guest", ["name": "g"])
                stack.context.insert("Chair", ["name": house, "room": room, "guest": guest])
            }
        }
        try stack.context.save()
        stack = try stack.reopened()
        stack.context.delete(try stack.context.named("1", "House"))
        try stack.context.save()
        stack = try stack.reopened()
        #expect(try stack.context.texts("Room") == ["2a", "2b"])
        #expect(try stack.context.texts("Chair") == ["2", "2"])
        #expect(try stack.context.all("Guest").count == 4)
        #expect(try stack.context.all("Guest").filter { $0.value(forKey: "chair") == nil }.count == 2)
    }

    @Sendable private static func cascadeInCircle(_ store: ContractStore) throws {
        let builder = ModelBuilder()
        builder.entity("Node", ["name": .stringAttributeType])
        builder.relationships("Node.next", "Node.previous", .cascadeDeleteRule, .cascadeDeleteRule)
        var stack = try store.open(builder.model)
        let nodes = (0..<5).map { stack.context.insert("Node", ["name": "\($0)"]) }
        for (number, node) in nodes.enumerated() { node.setValue(nodes[(number + 1) % 5], forKey: "next") }
        let own = stack.context.insert("Node", ["name": "own"])
        own.setValue(own, forKey: "next")
        stack.context.insert("Node", ["name": "alone"])
        try stack.context.save()
        stack = try stack.reopened()
        stack.context.delete(try stack.context.named("3", "Node"))
        stack.context.delete(try stack.context.named("own", "Node"))
        try stack.context.save()
        #expect(try stack.reopened().context.texts("Node") == ["alone"])
    }

    @Sendable private static func noAction(_ store: ContractStore) throws {
        let builder = ModelBuilder()
        builder.entity("Owner", ["name": .stringAttributeType])
        builder.entity("Target", ["name": .stringAttributeType])
        builder.relationships("Owner.targets*", "Target.owner", .noActionDeleteRule)
        var stack = try store.open(builder.model)
        let owner = stack.context.insert("Owner", ["name": "A"])
        stack.context.insert("Target", ["name": "x", "owner": owner])
        try stack.context.save()
        let key = owner.objectID.uriRepresentation().lastPathComponent
        stack.context.delete(owner)
        try stack.context.save()
        stack = try stack.reopened()
        let reported = Reported()
        stack.context.dataErrorHandler = { error, _ in reported.errors.append(error as NSError) }
        #expect(try stack.context.all("Owner").isEmpty)
        let reference = try stack.context.named("x", "Target").value(forKey: "owner") as? NSManagedObject
        #expect(reference?.objectID.uriRepresentation().lastPathComponent == key && reference?.isFault == true)
        #expect(reported.errors.isEmpty)
        #expect(reference?.value(forKey: "name") == nil)
        #expect(reported.errors.map(\.domain) == [NSCocoaErrorDomain])
        #expect(reported.errors.map(\.code) == [NSManagedObjectReferentialIntegrityError])
        guard let reference else { return }
        expectError(NSManagedObjectReferentialIntegrityError) {
            try stack.context.existingObject(with: reference.objectID)
        }
    }

    /// Collects the errors that a context reports to `dataErrorHandler`.
    private final class Reported: @unchecked Sendable { var errors: [NSError] = [] }

    @Sendable private static func unsavedDeleted(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let ann = stack.context.insert("Hero", ["name": "Ann"])
        let power = stack.context.insert("Power", ["hero": ann])
        stack.context.delete(power)
        stack.context.processPendingChanges()
        #expect(ann.related("powers").isEmpty)
        try stack.context.save()
        #expect(try stack.reopened().context.all("Power").isEmpty)
    }

    @Sendable private static func manyToManyPairs(_ store: ContractStore) throws {
        var stack = try store.open(HeroModel.make())
        let heroes = ["Ann", "Bob"].map { stack.context.insert("Hero", ["name": $0]) }
        for name in ["S", "T"] { stack.context.insert("Team", ["name": name, "members": NSSet(array: heroes)]) }
        try stack.context.save()
        stack = try stack.reopened()
        stack.context.delete(try stack.context.named("Ann", "Hero"))
        try stack.context.save()
        stack = try stack.reopened()
        #expect(try stack.context.named("S", "Team").related("members").map(\.nameValue) == ["Bob"])
        stack.context.delete(try stack.context.named("S", "Team"))
        try stack.context.save()
        stack = try stack.reopened()
        #expect(try stack.context.named("Bob", "Hero").related("teams").map(\.nameValue) == ["T"])
    }
}
