import CoreDataGraph
import TestBasics
import Testing

extension StoreContract {
    static let orderedRelationships: [Clause] =
        RelationshipShape.ordered.flatMap(clauses(of:))
        + RelationshipShape.ordered.filter(\.isOrdered).map { shape in
            Clause("\(shape.name): members move, enter in the middle and leave") { store in
                try moves(store, shape)
            }
        } + [Clause("REL-10: members added from the other side stand at the end", addedAtTheEnd)]

    private static func moves(_ store: ContractStore, _ shape: RelationshipShape) throws {
        var stack = try store.open(shape.model())
        let names = (0..<12).map { "\($0)" }
        for name in names { stack.context.insert(shape.member, ["name": name]) }
        stack.context.insert("Owner", ["name": "A"])
        var order: [String] = []
        var random = SeededRandom(seed: 11)
        for step in 0..<12 {
            rearrange(&order, names: names, random: &random)
            let entity = shape.member == "Owner" ? "Owner" : "Target"
            let members = try order.map { try stack.context.named($0, entity) }
            try stack.context.named("A", "Owner").setValue(NSOrderedSet(array: members), forKey: shape.key)
            try stack.context.save()
            if step % 3 == 2 { stack = try stack.reopened() }
            let read = try stack.context.named("A", "Owner").related(shape.key).map { $0.nameValue ?? "nil" }
            #expect(read == order, "step \(step)")
        }
    }

    /// Makes four random changes: each moves a member, removes one, or inserts a missing name at a random position.
    private static func rearrange(_ order: inout [String], names: [String], random: inout SeededRandom) {
        for _ in 0..<4 {
            let name = names[random.next(below: names.count)]
            let place = order.firstIndex(of: name)
            if let place { order.remove(at: place) }
            if place != nil, random.next(below: 3) == 0 { continue }
            order.insert(name, at: random.next(below: order.count + 1))
        }
    }

    @Sendable private static func addedAtTheEnd(_ store: ContractStore) throws {
        let shape = RelationshipShape(name: "", path: "Owner.targets*!", inverse: "Target.owner")
        let run = try RelationshipRun(store, shape)
        try run.set("A", ["z"])
        try run.save()
        try run.reopen()
        try run.setInverse("y", ["A"])
        try run.save()
        try run.setInverse("x", ["A"])
        try run.expectEverywhere("added")
    }
}
