import CAllocationCount
import CoreDataGraph
import StoreContract
import Testing

/// What reading costs the allocator, counted and not timed.
@Suite(.timeLimit(.minutes(20)), .enabled(if: coredata_allocations_of_this_thread() >= 0))
struct AllocationTests {
    /// What evaluation may cost a hundred objects: nothing, but for the boxes of code that is not optimised.
    private static let evaluationLimit: Int64 = _isDebugAssertConfiguration() ? 2000 : 0
    /// The same for three accessors of each.
    private static let accessLimit: Int64 = _isDebugAssertConfiguration() ? 100 : 0

    /// The pieces of memory that this thread asks for while something runs.
    private func allocations(_ body: () throws -> Void) rethrows -> Int64 {
        let start = coredata_allocations_of_this_thread()
        try body()
        return coredata_allocations_of_this_thread() - start
    }

    private struct People {
        let stack: Stack
        let context: NSManagedObjectContext
        var people: [ReadPerson]
    }

    /// A hundred people in rows of a store.
    private func saved() throws -> People {
        let stack = try ReadPerson.stack()
        for number in 0..<100 { stack.context.insert("Person", values(number)) }
        try stack.context.save()
        let context = stack.newContext()
        let people = try context.all("Person").compactMap { $0 as? ReadPerson }
        for person in people { _ = person.age }
        return People(stack: stack, context: context, people: people)
    }

    private func unsaved() throws -> People {
        let stack = try ReadPerson.stack()
        let people = (0..<100).compactMap { stack.context.insert("Person", values($0)) as? ReadPerson }
        return People(stack: stack, context: stack.context, people: people)
    }

    private func values(_ number: Int) -> [String: Any?] {
        [
            "age": number, "height": Double(number) / 10, "name": "A name that is not short \(number)",
            "flag": number % 2 == 0, "born": Date(timeIntervalSinceReferenceDate: Double(number)),
        ]
    }

    @Test("the counter counts (PRD-25)")
    func allocationsAreCounted() {
        var kept: [AnyObject] = []
        kept.reserveCapacity(10)
        #expect(allocations { for _ in 0..<10 { kept.append(NSObject()) } } >= 10)
    }

    @Test(
        "with instruments off fetches, faults and saves ask for as much memory as before anything was recorded (BRW-42)"
    )
    func instrumentsThatAreOffCostNothing() throws {
        let people = try saved()
        var age = 1_000
        func cost() throws -> Int64 {
            let context = people.stack.newContext()
            age += 1
            return try allocations {
                let found = try context.all("Person")
                for person in found { _ = person.value(forKey: "age") }
                found.first?.setValue(age, forKey: "age")
                try context.save()
            }
        }
        for _ in 0..<3 { _ = try cost() }
        let before = try (0..<5).map { _ in try cost() }.min()
        #expect(InstrumentRecorder.start(ForgetfulSink()))
        _ = try cost()
        #expect((InstrumentRecorder.stop()?.events ?? 0) > 1)
        _ = try cost()
        let after = try (0..<5).map { _ in try cost() }.min()
        #expect(before == after)
    }

    @Test("a save of one object to memory costs as much beside many objects with unique values as beside few")
    func savingCopiesNoIndex() throws {
        func bytes(beside count: Int) throws -> Int64 {
            let builder = ModelBuilder()
            builder.entity("Tag", ["number": .integer64AttributeType])
            builder["Tag"].uniquenessConstraints = [["number"]]
            let stack = try Stack(builder.model, kind: .inMemory)
            for number in 0..<count { stack.context.insert("Tag", ["number": number]) }
            try stack.context.save()
            stack.context.reset()
            stack.context.insert("Tag", ["number": -1])
            let start = coredata_allocated_bytes_of_this_thread()
            try stack.context.save()
            return coredata_allocated_bytes_of_this_thread() - start
        }
        let few = try bytes(beside: 100)
        #expect(few > 0)
        #expect(try bytes(beside: 20_000) < 2 * few + 100_000)
    }

    @Test(
        "a predicate on plain properties asks for no memory for each object (PRD-25)",
        arguments: [
            "age >= 30 AND name BEGINSWITH 'A'", "height > 1.5 AND age < 100", "name CONTAINS[cd] 'NOT' OR flag == YES",
            "born == nil OR age BETWEEN {10, 20}", "NOT name ENDSWITH 'x' AND name != 'y'",
        ])
    func evaluationAllocatesNothing(format: String) throws {
        let predicate = NSPredicate(format: format)
        for set in [try saved(), try unsaved()] {
            var found = 0
            let count = {
                for person in set.people where predicate.evaluate(with: person) { found += 1 }
            }
            // The first run works out what the predicate asks of the entity.
            count()
            #expect(found > 0)
            #expect(allocations(count) <= Self.evaluationLimit)
        }
    }

    @Test("reading a number or a truth value through its accessor asks for no memory (OBJ-29)")
    func accessorsOfNumbersAllocateNothing() throws {
        for set in [try saved(), try unsaved()] {
            var sum = 0.0
            let read = {
                for person in set.people {
                    sum += Double(person.age) + person.height + (person.flag ? 1 : 0)
                }
            }
            read()
            #expect(allocations(read) <= Self.accessLimit)
            #expect(sum > 0)
        }
    }

    /// What fetching an object may cost: itself, and its part of what is made for many.
    private static let fetchLimit = _isDebugAssertConfiguration() ? 6.0 : 2.0

    @Test(
        "a fetched object is one piece of memory and parts of a few others", .enabled(if: RuntimeShortcuts.areTaken),
        arguments: [true, false])
    func fetchedObjectsAllocateLittle(asFaults: Bool) throws {
        let stack = try ReadPerson.stack()
        let count = 2_000
        for number in 0..<count { stack.context.insert("Person", values(number)) }
        try stack.context.save()
        stack.context.reset()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.returnsObjectsAsFaults = asFaults
        request.includesPropertyValues = !asFaults
        var found: [NSManagedObject] = []
        // The first fetch works out its statement.
        try autoreleasepool { _ = try stack.newContext().fetch(request) }
        let context = stack.newContext()
        let made = try allocations { found = try context.fetch(request) }
        #expect(found.count == count)
        #expect(Double(made) / Double(count) <= Self.fetchLimit, "\(made) for \(count) objects")
        withExtendedLifetime(stack) {}
    }

    @Test("a change of the history that is read asks for the memory of its object alone (CTX-34)")
    func changesAskForLittle() throws {
        let stack = try Stack(HeroModel.make(), kind: .inMemory, options: [NSPersistentHistoryTrackingKey: true])
        for number in 0..<1_000 { stack.context.insert("Hero", ["name": "\(number)"]) }
        try stack.context.save()
        func read(_ type: NSPersistentHistoryResultType) throws -> Any? {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
            request.resultType = type
            return (try stack.context.execute(request) as? NSPersistentHistoryResult)?.result
        }
        var (count, changes) = (Any?.none, Any?.none)
        let counting = try allocations { count = try read(.count) }
        let reading = try allocations { changes = try read(.changesOnly) }
        #expect(count as? Int == 1_000 && (changes as? [NSPersistentHistoryChange])?.count == 1_000)
        #expect(reading - counting < 1_100)
    }
}

/// A recording of which nothing is kept.
private final class ForgetfulSink: TraceSink {
    func write(_ bytes: [UInt8]) -> Bool { true }
    func close() {}
}
