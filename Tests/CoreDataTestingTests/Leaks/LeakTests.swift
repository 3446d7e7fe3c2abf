import CoreData
import CoreDataTesting
import Synchronization
import Testing

/// What keeps objects longer than it should.
private final class Keeper: @unchecked Sendable {
    var kept: [AnyObject] = []
}

@Suite struct LeakTests {
    private func stack() throws -> TestStack {
        let stack = try TestStack(GuildModel.model, .sqlite)
        try stack.make(Hero.self)
        try stack.context.save()
        stack.context.reset()
        return stack
    }

    private func report(_ body: () throws -> Void) throws -> String {
        let text = Mutex("")
        try withKnownIssue {
            try body()
        } matching: { issue in
            text.withLock { $0 = issue.comments.map(\.rawValue).joined() }
            return true
        }
        return text.withLock { $0 }
    }

    private func hero(in context: NSManagedObjectContext) throws -> Hero {
        try #require(try context.fetch(NSFetchRequest<Hero>(entityName: "Hero")).first)
    }

    @Test("nothing is alive after a block that keeps nothing (TEST-08)")
    func nothingIsAlive() throws {
        let stack = try stack()
        try stack.expectNoLeaks {
            let context = stack.newContext()
            let name = try context.performAndWait { try hero(in: context).name }
            #expect(name != nil)
            let child = stack.newChildContext()
            try child.performAndWait { _ = try hero(in: child).rank }
        }
        #expect(stack.livingObjects().isEmpty)
    }

    @Test("an object and a context that something keeps are named (TEST-08)")
    func keptObjectAndContextAreNamed() throws {
        let (stack, keeper) = (try stack(), Keeper())
        let text = try report {
            try stack.expectNoLeaks {
                let context = stack.newContext()
                context.name = "page of heroes"
                keeper.kept.append(context)
                keeper.kept.append(try context.performAndWait { try hero(in: context) })
            }
        }
        #expect(text.hasPrefix("1 contexts and 1 objects are alive after the block"), "\(text)")
        #expect(text.contains("context page of heroes") && text.contains("Hero x-coredata://"))
        #expect(text.contains("something retains it"))
    }

    @Test(
        "objects that retain each other by relationships are named with their cycle, until one is refreshed (TEST-08)")
    func cyclesAreNamed() throws {
        let stack = try stack()
        let text = try report {
            try stack.expectNoLeaks {
                let hero = try hero(in: stack.context)
                _ = hero.name
                let team = try #require(hero.team)
                _ = (team.value(forKey: "members") as? Set<NSManagedObject>)?.count
            }
        }
        #expect(text.contains("Hero.team → Team.members → Hero"), "\(text)")
        #expect(text.contains("Team.members → Hero.team → Team"), "\(text)")
        for object in stack.context.registeredObjects { stack.context.refresh(object, mergeChanges: false) }
        #expect(stack.livingObjects().isEmpty, "\(stack.livingObjects())")
    }

    @Test("a changed object is alive by its change (TEST-08)")
    func changedObjectIsAliveByItsChange() throws {
        let stack = try stack()
        let text = try report { try stack.expectNoLeaks { try hero(in: stack.context).rank = 7 } }
        #expect(text.contains("has unsaved changes"), "\(text)")
        stack.context.rollback()
        #expect(stack.livingObjects().objects.allSatisfy { !$0.hasChanges })
    }

    @Test("looking for living objects fires no fault (TEST-08)")
    func lookingFiresNoFault() throws {
        let stack = try stack()
        let team = try #require(try hero(in: stack.context).team)
        stack.expect(statements: 0, faults: 0) { #expect(stack.livingObjects().objects.count == 1) }
        #expect(team.isFault)
    }
}
