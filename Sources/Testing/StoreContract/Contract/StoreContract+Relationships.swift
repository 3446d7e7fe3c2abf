import CoreDataGraph
import Testing

extension StoreContract {
    static let relationships: [Clause] =
        RelationshipShape.plain.flatMap(clauses(of:)) + [
            Clause("REL-02: adding what is there already changes nothing", addingTwiceChangesNothing),
            Clause("REL-08: an object can be its own partner", ownPartner),
            Clause("REL-12: a one-way reference to a deleted record reads as gone", danglingReference),
            Clause("REL-12: a reference to an object that was never saved is nil", neverSavedTarget),
            Clause(
                "REL-12: of a to-many relationship without an inverse a member belongs to its last owner", lastOwner),
            Clause("REL-13: a member moves between owners that nobody loaded", movesBetweenUnloadedOwners),
        ]

    /// The checks that apply to relationships of every shape.
    static func clauses(of shape: RelationshipShape) -> [Clause] {
        var clauses = [
            Clause("\(shape.name): set, changed and emptied from the owner's side") {
                try fromOwner(RelationshipRun($0, shape))
            }
        ]
        guard shape.inverse != nil else { return clauses }
        clauses.append(
            Clause("REL-04, \(shape.name): set, changed and emptied from the other side") {
                try fromMember(RelationshipRun($0, shape))
            })
        clauses.append(
            Clause("REL-15, \(shape.name): a deleted object is gone from the other side") {
                try deletion(RelationshipRun($0, shape))
            })
        return clauses
    }

    private static func fromOwner(_ run: RelationshipRun) throws {
        try run.set("A", ["x", "y"])
        try run.set("B", ["z"])
        try run.expectEverywhere("related")
        try run.set("A", ["y", "z"])
        try run.expectBothSides("taken over")
        try run.set("C", ["x"])
        try run.expectEverywhere("changed")
        try run.set("A", ["z", "y"])
        try run.set("B", ["x", "y", "z"])
        try run.expectEverywhere("changed again")
        for owner in RelationshipRun.owners { try run.set(owner, []) }
        try run.expectEverywhere("emptied")
    }

    private static func fromMember(_ run: RelationshipRun) throws {
        try run.setInverse("x", ["A", "B"])
        try run.setInverse("y", ["B"])
        try run.expectEverywhere("related")
        try run.setInverse("x", ["C"])
        try run.setInverse("z", ["B", "A"])
        try run.expectEverywhere("changed")
        try run.setInverse("y", [])
        try run.set("C", ["y", "x"])
        try run.expectEverywhere("mixed")
        for member in RelationshipRun.members { try run.setInverse(member, []) }
        try run.expectEverywhere("emptied")
    }

    private static func deletion(_ run: RelationshipRun) throws {
        try run.set("A", ["x", "y"])
        try run.set("B", ["z"])
        try run.expectEverywhere("related")
        try run.delete("x")
        try run.expectEverywhere("a member deleted")
        try run.delete("A")
        try run.expectEverywhere("an owner deleted")
    }

    private static func shape(_ path: String, _ inverse: String?, member: String = "Target") -> RelationshipShape {
        RelationshipShape(name: path, path: path, inverse: inverse, member: member)
    }

    @Sendable private static func addingTwiceChangesNothing(_ store: ContractStore) throws {
        let run = try RelationshipRun(store, shape("Owner.targets*", "Target.owner"))
        try run.set("A", ["x"])
        try run.save()
        run.stack.context.refreshAllObjects()
        try run.set("A", ["x"])
        #expect(!run.stack.context.hasChanges)
        try run.setInverse("x", ["A"])
        #expect(!run.stack.context.hasChanges)
        try run.expectEverywhere("set again")
    }

    @Sendable private static func ownPartner(_ store: ContractStore) throws {
        let run = try RelationshipRun(store, shape("Owner.next", "Owner.former", member: "Owner"))
        let own = try run.object("A")
        own.setValue(own, forKey: "next")
        #expect(own.related("former") == [own])
        try run.save()
        try run.reopen()
        let again = try run.object("A")
        #expect(again.related("next") == [again] && again.related("former") == [again])
        run.stack.context.delete(again)
        try run.save()
        try run.reopen()
        #expect(try run.stack.context.texts("Owner") == ["B", "C", "x", "y", "z"])
    }

    @Sendable private static func danglingReference(_ store: ContractStore) throws {
        let builder = ModelBuilder()
        builder.entity("Note")
        builder.entity("Hero", ["name": .stringAttributeType])
        builder.relationship("Note.subject", to: "Hero")
        builder.relationship("Note.readers*", to: "Hero")
        var stack = try store.open(builder.model)
        let ann = stack.context.insert("Hero", ["name": "Ann"])
        let note = stack.context.insert("Note", ["subject": ann])
        note.setValue(NSSet(array: [ann, stack.context.insert("Hero", ["name": "Bob"])]), forKey: "readers")
        try stack.context.save()
        stack.context.delete(ann)
        try stack.context.save()
        stack = try stack.reopened()
        var reported = 0
        stack.context.dataErrorHandler = { _, _ in reported += 1 }
        let again = try #require(try stack.context.all("Note").first)
        #expect(again.related("subject").first?.nameValue == nil)
        #expect(reported == 1)
        #expect(again.related("readers").map(\.nameValue) == ["Bob"])
    }

    @Sendable private static func lastOwner(_ store: ContractStore) throws {
        var stack = try store.open(shape("Owner.targets*", nil).model())
        let target = stack.context.insert("Target", ["name": "x"])
        stack.context.insert("Owner", ["name": "A", "targets": NSSet(array: [target])])
        try stack.context.save()
        stack.context.insert("Owner", ["name": "B", "targets": NSSet(array: [target])])
        try stack.context.save()
        stack = try stack.reopened()
        #expect(try stack.context.named("B", "Owner").related("targets").map(\.nameValue) == ["x"])
        #expect(try stack.context.named("A", "Owner").related("targets").isEmpty)
    }

    @Sendable private static func neverSavedTarget(_ store: ContractStore) throws {
        for path in ["Owner.target", "Owner.targets*"] {
            let stack = try store.open(shape(path, nil).model(), named: "Contract\(path.count)")
            let target = stack.context.insert("Target", ["name": "x"])
            let key = path.contains("*") ? "targets" : "target"
            stack.context.insert("Owner", ["name": "A", key: path.contains("*") ? NSSet(array: [target]) : target])
            stack.context.delete(target)
            try stack.context.save()
            let again = try stack.reopened()
            #expect(try again.context.named("A", "Owner").related(key).isEmpty)
            #expect(try again.context.all("Target").isEmpty)
        }
    }

    @Sendable private static func movesBetweenUnloadedOwners(_ store: ContractStore) throws {
        let run = try RelationshipRun(store, shape("Owner.targets*", "Target.owner"))
        try run.set("A", ["x", "y"])
        try run.set("B", ["z"])
        try run.save()
        try run.reopen()
        try run.setInverse("x", ["B"])
        try run.save()
        try run.expectBothSides("moved")
        try run.reopen()
        try run.expectBothSides("moved and reopened")
    }
}
