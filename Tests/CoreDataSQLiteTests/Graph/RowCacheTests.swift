import CoreData
import StoreContract
import Synchronization
import Testing

@testable import CoreDataSQLite

/// Faults that are filled from the coordinator's rows, together, or anew.
@Suite struct RowCacheTests {
    private static func heroes(_ count: Int) throws -> Stack {
        let stack = try HeroModel.stack()
        let writer = stack.newContext()
        let heroes = (0..<count).map { writer.insert("Hero", ["name": "H\($0)", "strength": $0 % 100]) }
        writer.insert("Team", ["name": "All", "members": NSSet(array: heroes)])
        try writer.save()
        return stack
    }

    @Test("a fetch by `self IN` fills a thousand faults with one statement (OBJ-18)")
    func selfIn() throws {
        let stack = try Self.heroes(1_000)
        let ids = try stack.newContext().all("Hero").map(\.objectID)
        let faults = ids.map { stack.context.object(with: $0) }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
        request.predicate = NSPredicate(format: "self IN %@", faults)
        request.returnsObjectsAsFaults = false
        var found: [NSManagedObject] = []
        try stack.expectStatements(1) { found = try stack.context.fetch(request) }
        #expect(Set(found) == Set(faults))
        stack.expectStatements(0) { for fault in faults { #expect(fault.value(forKey: "name") != nil) } }
    }

    @Test("the members of a relationship are filled a hundred at a time (OBJ-18)")
    func membersTogether() throws {
        let stack = try Self.heroes(1_000)
        let team = try #require(try stack.context.all("Team").first)
        var members: [NSManagedObject] = []
        stack.expectStatements(1) {
            members = (team.value(forKey: "members") as? NSSet)?.allObjects.compactMap { $0 as? NSManagedObject } ?? []
        }
        #expect(members.count == 1_000 && members.allSatisfy(\.isFault))
        stack.expectStatements(1) { #expect(members[500].value(forKey: "name") != nil) }
        #expect(members.filter { !$0.isFault }.count == 1)
        stack.expectStatements(9) { for member in members { #expect(member.value(forKey: "name") != nil) } }
        #expect(members.allSatisfy { ($0 as? Hero)?.log == ["fetch"] })
    }

    @Test("objects fetched without their values are filled a hundred at a time (OBJ-18)")
    func addressesTogether() throws {
        let stack = try Self.heroes(250)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
        request.includesPropertyValues = false
        var heroes: [NSManagedObject] = []
        try stack.expectStatements(1) { heroes = try stack.context.fetch(request) }
        stack.expectStatements(3) { for hero in heroes { #expect(hero.value(forKey: "name") != nil) } }
        stack.context.refresh(heroes[7], mergeChanges: false)
        stack.expectStatements(1) { #expect(heroes[7].value(forKey: "name") != nil) }
    }

    @Test("ten thousand faults that fire one by one use one text (OBJ-12)")
    func oneByOne() throws {
        let stack = try Self.heroes(10_000)
        let ids = try stack.newContext().all("Hero").map(\.objectID)
        let texts = stack.file.faultQueries.count
        var log: Set<String> = []
        log.formUnion(
            stack.statements {
                for id in ids.prefix(100) { _ = stack.context.object(with: id).value(forKey: "name") }
            }.map { $0.replacing(/[0-9]+$/, with: "?") })
        #expect(log.count == 1, "\(log)")
        let count = stack.statementCount {
            for id in ids { #expect(stack.context.object(with: id).value(forKey: "name") != nil) }
        }
        #expect(count == 10_000 && stack.file.faultQueries.count <= texts + 1)
    }

    @Test("a second context's faults find the rows of the first, and both are counted (FET-27)")
    func sharedRows() throws {
        let stack = try Self.heroes(10)
        let other = stack.newContext()
        let held = try other.all("Hero")
        let before = stack.store.rowCache.hitsAndMisses
        let faults = held.map { stack.context.object(with: $0.objectID) }
        stack.expectStatements(0) { for fault in faults { #expect(fault.value(forKey: "name") != nil) } }
        #expect(stack.store.rowCache.hitsAndMisses.hits == before.hits + 10)
        #expect(stack.store.rowCache.hitsAndMisses.misses == before.misses)
        stack.context.refresh(faults[0], mergeChanges: false)
        stack.expectStatements(1) { _ = faults[0].value(forKey: "name") }
        #expect(stack.store.rowCache.hitsAndMisses.misses == before.misses + 1)
        withExtendedLifetime(held) {}
    }

    @Test("rows go from the cache with the last object that has them (FET-27)")
    func rowsGoFromCacheWithLastObjectThatHasThem() throws {
        let stack = try Self.heroes(2_500)
        #expect(stack.store.rowCache.count == 0)
        var ids: [NSManagedObjectID] = []
        do {
            var heroes = try stack.context.all("Hero")
            #expect(stack.store.rowCache.count == 2_500)
            ids = heroes.map(\.objectID)
            heroes.removeLast(1_700)
            #expect((1...2_499).contains(stack.store.rowCache.count))
        }
        #expect(stack.store.rowCache.count == 0)
        stack.expectStatements(1) { _ = stack.context.object(with: ids[0]).value(forKey: "name") }
    }

    @Test("a reset lets go of all rows that no other context has (CTX-16)")
    func resetClears() throws {
        let stack = try Self.heroes(20)
        let heroes = try stack.context.all("Hero")
        #expect(stack.store.rowCache.count == 20)
        stack.context.reset()
        #expect(stack.store.rowCache.count == 0 && heroes.count == 20)
    }

    @Test("fetched identifiers keep their rows warm for other contexts, as long as they are held (FET-10)")
    func identifiersWarm() throws {
        let stack = try Self.heroes(50)
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Hero")
        request.resultType = .managedObjectIDResultType
        let other = stack.newContext()
        do {
            let ids = try stack.context.fetch(request)
            #expect(stack.context.registeredObjects.isEmpty && stack.store.rowCache.count == 50)
            stack.expectStatements(0) {
                for id in ids { #expect(other.object(with: id).value(forKey: "name") != nil) }
            }
        }
        #expect(stack.store.rowCache.count == 0)
        request.includesPropertyValues = false
        let bare = try stack.context.fetch(request)
        #expect(bare.count == 50 && stack.store.rowCache.count == 0)
    }

    @Test("an object is one allocation of at most 72 bytes (OBJ-29)")
    func objectSize() throws {
        let stack = try Self.heroes(1)
        // The allocator gives a little more where it has a larger piece left over.
        let teams = (0..<200).map { _ in stack.context.insert("Team") }
        let sizes = teams.map { usableSize(Unmanaged.passUnretained($0).toOpaque()) }
        #expect(try #require(sizes.min()) <= 72)
    }

    /// A clock that goes when it is told to.
    private final class Clock: Sendable {
        private let nanoseconds = Mutex<UInt64>(1_000_000_000)
        func advance(_ seconds: Double) { nanoseconds.withLock { $0 += UInt64(seconds * 1e9) } }
        var environment: Environment { Environment { [self] in nanoseconds.withLock { $0 } } }
    }

    @Test("stalenessInterval bounds the age of the rows that fill faults (FET-27)")
    func stalenessIntervalBoundsAgeOfRowsThatFillFaults() throws {
        let stack = try Self.heroes(1)
        let clock = Clock()
        stack.store.environment = clock.environment
        let holder = stack.newContext()
        let held = try #require(try holder.all("Hero").first)
        #expect(held.value(forKey: "name") as? String == "H0")
        try stack.execute("UPDATE ZHERO SET ZNAME = 'Changed', Z_OPT = Z_OPT + 1")
        func name(_ interval: TimeInterval, _ expected: Int, _ location: SourceLocation = #_sourceLocation) -> String? {
            let context = stack.newContext()
            context.stalenessInterval = interval
            var name: String?
            stack.expectStatements(expected, location) {
                name = context.object(with: held.objectID).value(forKey: "name") as? String
            }
            return name
        }
        clock.advance(9)
        #expect(name(-1, 0) == "H0" && name(10, 0) == "H0")
        clock.advance(2)
        #expect(name(-1, 0) == "H0")
        #expect(name(10, 1) == "Changed")
        #expect(name(0, 1) == "Changed")
        #expect(held.value(forKey: "name") as? String == "H0")
    }

    @Test("a refresh takes a cached row only if it is newer, or young enough for a positive interval (FET-27)")
    func refreshTakesCachedRowOnlyIfItIsNewer() throws {
        let stack = try Self.heroes(1)
        let clock = Clock()
        stack.store.environment = clock.environment
        let hero = try #require(try stack.context.all("Hero").first as? Hero)
        let other = stack.newContext()
        let theirs = try #require(try other.all("Hero").first as? Hero)
        _ = hero.name
        theirs.name = "Theirs"
        try other.save()
        stack.expectStatements(0) {
            stack.context.refresh(hero, mergeChanges: false)
            #expect(hero.name == "Theirs")
        }
        try stack.execute("UPDATE ZHERO SET ZNAME = 'File', Z_OPT = Z_OPT + 1")
        stack.context.stalenessInterval = 60
        clock.advance(10)
        stack.expectStatements(0) {
            stack.context.refresh(hero, mergeChanges: true)
            #expect(hero.name == "Theirs")
        }
        clock.advance(60)
        stack.expectStatements(1) {
            stack.context.refresh(hero, mergeChanges: true)
            #expect(hero.name == "File")
        }
    }

    @Test("faults are counted, kept, asked about and distinguished without a statement (OBJ-14)")
    func faultFree() throws {
        let stack = try Self.heroes(5)
        let ids = try stack.newContext().all("Hero").map(\.objectID)
        let faults = ids.map { stack.context.object(with: $0) }
        stack.expectStatements(0) {
            #expect(Set(faults).count == 5 && Dictionary(grouping: faults) { $0 }.count == 5)
            for fault in faults {
                #expect(
                    fault.isEqual(fault) && fault.hash == fault.hashValue && fault is Hero && fault as? Power == nil)
                #expect(type(of: fault) == Hero.self && "\(fault)".contains("<fault>"))
                #expect(fault.managedObjectContext === stack.context && fault.entity.name == "Hero")
                #expect(!fault.objectID.isTemporaryID && fault.objectID.uriRepresentation().scheme == "x-coredata")
                #expect(!fault.isInserted && !fault.isUpdated && !fault.isDeleted && !fault.hasChanges)
                #expect(!fault.hasPersistentChangedValues && fault.changedValues().isEmpty && fault.faultingState != 0)
                #expect(fault.hasFault(forRelationshipNamed: "nemesis"))
                #expect(stack.context.registeredObject(for: fault.objectID) === fault)
            }
            #expect(stack.context.registeredObjects.count == 5 && !stack.context.hasChanges)
        }
        #expect(faults.allSatisfy { $0.isFault })
    }
}

/// The bytes that the allocator gave to a piece of memory; the C library's header has no Swift module.
@_silgen_name("malloc_usable_size")
private func usableSize(_ memory: UnsafeMutableRawPointer) -> Int
