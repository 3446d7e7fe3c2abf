import StoreContract
import Testing

@testable import CoreDataGraph

/// What the history of stores in memory does beyond what those of all stores must.
@Suite struct MemoryHistoryTests {
    private func record(_ context: NSManagedObjectContext) throws -> [String] {
        try context.save()
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
        let transactions = try #require(result.result as? [NSPersistentHistoryTransaction])
        return (transactions.last?.changes ?? []).map { change in
            let names = change.updatedProperties?.map(\.name).sorted().joined(separator: "+") ?? ""
            return "\(change.changeType) \(change.changedObjectID.entity.name ?? "") \(names)"
        }.sorted()
    }

    private func stack() throws -> Stack {
        try Stack(HeroModel.make(), kind: .inMemory, options: [NSPersistentHistoryTrackingKey: true])
    }

    @Test("A member of a relationship without inverse changes its owner as it comes, moves and goes")
    func memberOfRelationshipWithoutInverseChangesItsOwnerAsItComes() throws {
        let stack = try self.stack()
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let hero = context.insert("Hero", ["name": "Ann"])
        let notes = (0..<2).map { _ in context.insert("Note") }
        try context.save()
        notes[0].setValue(NSSet(object: hero), forKey: "readers")
        #expect(try record(context) == ["update Note readers"])
        notes[1].setValue(NSSet(object: hero), forKey: "readers")
        #expect(try record(context) == ["update Note readers", "update Note readers"])
        context.delete(hero)
        #expect(try record(context) == ["delete Hero ", "update Note readers"])
    }

    @Test("Relationships to one change at both ends, and to-many ones of the same entity")
    func relationshipsToOneChangeAtBothEnds() throws {
        let stack = try self.stack()
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        let heroes = ["a", "b"].map { context.insert("Hero", ["name": $0]) }
        try context.save()
        heroes[0].setValue(heroes[1], forKey: "nemesis")
        #expect(try record(context) == ["update Hero hunter", "update Hero nemesis"])
        heroes[0].setValue(heroes[1], forKey: "mentor")
        #expect(try record(context) == ["update Hero mentor", "update Hero students"])
    }

    @Test("The history goes with its store")
    func endsWithStore() throws {
        let stack = try self.stack()
        stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        #expect(stack.coordinator.currentPersistentHistoryToken(fromStores: nil)?.numbers.values.first == 1)
        try stack.coordinator.remove(stack.store)
        #expect(stack.coordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
    }
}
