import CoreData
import StoreContract
import Synchronization
import Testing

/// What merging costs, in statements.
@Suite struct MergeStatementTests {
    @Test(
        "10,000 updated objects are read with a bounded number of statements (CTX-18)",
        .timeLimit(.minutes(20)))
    func manyUpdates() throws {
        let (stack, other, heroes) = try Self.stacks(10_000)
        for hero in try other.context.all("Hero") { hero.setValue("new", forKey: "name") }
        try other.context.save()
        let identifiers = heroes.map(\.objectID)
        let count = stack.statementCount {
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSUpdatedObjectsKey: identifiers], into: [stack.context])
        }
        #expect(count <= 4)
        #expect(heroes.allSatisfy { $0.value(forKey: "name") as? String == "new" })
    }

    @Test(
        "10,000 inserted ones need none, 10,000 deleted ones none; URIs of parents some (CTX-18)",
        .timeLimit(.minutes(20)))
    func manyOthers() throws {
        let (stack, other, heroes) = try Self.stacks(10_000)
        for hero in try other.context.all("Hero") { other.context.delete(hero) }
        for _ in 0..<10_000 { other.context.insert("Hero", ["name": "new"]) }
        try other.context.save()
        let new = try other.context.all("Hero").map(\.objectID)
        stack.expectStatements(0) {
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [
                    NSInsertedObjectsKey: new, NSDeletedObjectsKey: heroes.map(\.objectID),
                ],
                into: [stack.context])
        }
        #expect(heroes.allSatisfy { $0.isDeleted })
        let second = stack.newContext()
        let count = stack.statementCount {
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSInsertedObjectsKey: new.map { $0.uriRepresentation() }],
                into: [second])
        }
        #expect(count <= 4)
    }

    @Test(
        "what a context of the same coordinator saved is in the row cache, and needs no statement (CTX-18)"
    )
    func rowCache() throws {
        let (stack, _, heroes) = try Self.stacks(100)
        let writer = stack.newContext()
        let kept = Mutex<[Transfer]>([])
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: writer, queue: nil
        ) { notification in
            let told = Transfer(notification: notification)
            kept.withLock { $0.append(told) }
        }
        for hero in try writer.all("Hero") { hero.setValue("new", forKey: "name") }
        try writer.save()
        NotificationCenter.default.removeObserver(token)
        let notification = try #require(kept.withLock { $0.first }).notification
        stack.expectStatements(0) { stack.context.mergeChanges(fromContextDidSave: notification) }
        #expect(heroes.allSatisfy { $0.value(forKey: "name") as? String == "new" })
    }

    private struct Transfer: @unchecked Sendable {
        let notification: Notification
    }

    /// A stack whose context has read heroes, and one of another coordinator on the same file.
    private static func stacks(_ count: Int) throws -> (Stack, Stack, [NSManagedObject]) {
        let stack = try HeroModel.stack()
        let writer = stack.newContext()
        for number in 0..<count { writer.insert("Hero", ["name": "old \(number)"]) }
        try writer.save()
        writer.reset()
        let heroes = try stack.context.all("Hero")
        for hero in heroes { _ = hero.value(forKey: "name") }
        return (stack, try stack.another(), heroes)
    }
}
