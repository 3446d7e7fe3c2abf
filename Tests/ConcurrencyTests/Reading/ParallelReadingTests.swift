import CoreData
import StoreContract
import Synchronization
import Testing

@testable import CoreDataGraph
@testable import CoreDataSQLite

/// What several contexts of one coordinator read at once, and beside a save.
@Suite(.timeLimit(.minutes(5))) struct ParallelReadingTests {
    @Test("four threads are inside of readings of one store at once", arguments: [false, true])
    func fourThreadsAreInsideOfReadingsOfOneStoreAtOnce(isReadOnly: Bool) throws {
        try readAtOnce(ReadingScene(isReadOnly: isReadOnly))
    }

    @Test(
        "four threads are inside of readings of one store in memory at once (CTX-28)",
        arguments: [NSInMemoryStoreType, NSXMLStoreType, NSBinaryStoreType])
    func fourInMemory(kind: String) throws { try readAtOnce(ReadingScene(of: kind)) }

    private func readAtOnce(_ scene: ReadingScene) throws {
        try scene.meetAtStore()
        let meeting = Meeting(of: 4)
        let counts = Notes<Int>()
        onThreads(4) { _ in
            let count = try? scene.store.reading { reading -> Int in
                meeting.attend()
                let layout = scene.coordinator.modelLayout.layout(named: "Hero")
                return try layout.map {
                    try reading.reader.count(FetchQuery(binding: scene.store.binding(for: $0)))
                } ?? 0
            }
            counts.add((count ?? nil) ?? -1)
        }
        #expect(meeting.tookPlace)
        #expect(counts.all == [3, 3, 3, 3])
    }

    @Test("eight threads fetch at once, each what is there", arguments: [1, 4])
    func eightThreadsFetchAtOnce(readers: Int) throws {
        let scene = try ReadingScene([NSPersistentStoreConnectionPoolMaxSizeKey: readers], heroes: 500)
        let wrong = Notes<String>()
        let contexts = (0..<8).map { scene.newContext("\($0)") }
        onThreads(8) { thread in
            contexts[thread].performAndWait {
                for round in 0..<6 {
                    do {
                        let found = try contexts[thread].all("Hero", sortedBy: "strength")
                        let strengths = found.map { $0.value(forKey: "strength") as? Int }
                        if strengths != Array(0..<500) { wrong.add("\(thread) \(round): \(found.count)") }
                    } catch { wrong.add("\(error)") }
                    contexts[thread].reset()
                }
            }
        }
        #expect(wrong.all == [])
    }

    /// What can be asked while a save stands still in its transaction, and what was there before it.
    private static let questions: [(name: String, ask: @Sendable (NSManagedObjectContext) throws -> Int, answer: Int)] =
        [
            ("objects", { try $0.all("Hero").count }, 3),
            (
                "values of faults",
                { try $0.all("Hero").reduce(0) { $0 + ($1.value(forKey: "strength") as? Int ?? -9) } }, 3
            ),
            ("members", { try $0.all("Hero").compactMap { $0 as? Hero }.reduce(0) { $0 + $1.powers.count } }, 3),
            ("a count", { try $0.count(for: NSFetchRequest<NSManagedObject>(entityName: "Hero")) }, 3),
            (
                "dictionaries",
                { context in
                    let request = NSFetchRequest<NSDictionary>(entityName: "Hero")
                    request.resultType = .dictionaryResultType
                    return try context.fetch(request).count
                }, 3
            ),
            (
                "prefetched members",
                { context in
                    let request = NSFetchRequest<Hero>(entityName: "Hero")
                    request.relationshipKeyPathsForPrefetching = ["powers"]
                    return try context.fetch(request).reduce(0) { $0 + $1.powers.count }
                }, 3
            ),
            (
                "a walk",
                { context in
                    var count = 0
                    try context.objects(of: NSFetchRequest<NSManagedObject>(entityName: "Hero")).enumerateObjects { _ in
                        count += 1
                    }
                    return count
                }, 3
            ),
            (
                "a pinned context",
                { context in
                    try context.setQueryGenerationFrom(.current)
                    return try context.all("Hero").count
                }, 3
            ),
        ]

    @Test("a fetch returns while another context's save holds the write transaction (FET-15)", arguments: 0..<8)
    func besideSave(number: Int) throws {
        let question = Self.questions[number]
        let scene = try ReadingScene()
        let (writer, reader) = (scene.newContext(), scene.newContext())
        writer.performAndWait { _ = writer.insert("Hero", ["name": "new", "strength": 100]) }
        let save = try StandingSave(writer, in: scene)
        let answers = Notes<String>()
        let hasReturned = onAnotherThread {
            reader.performAndWait {
                do { answers.add("\(try question.ask(reader))") } catch { answers.add("\(error)") }
            }
        }
        #expect(hasReturned, "\(question.name)")
        #expect(save.finish() == nil)
        #expect(answers.all == ["\(question.answer)"], "\(question.name)")
        let later = try reader.performAndWait {
            try reader.setQueryGenerationFrom(nil)
            return try reader.all("Hero").count
        }
        #expect(later == 4)
    }

    @Test("an asynchronous fetch comes to its end while a save holds the write transaction (FET-15)")
    func asynchronousBesideSave() throws {
        let scene = try ReadingScene()
        let (writer, reader) = (scene.newContext(), scene.newContext())
        writer.performAndWait { _ = writer.insert("Hero", ["name": "new"]) }
        let save = try StandingSave(writer, in: scene)
        defer { save.finish() }
        let (counts, done) = (Notes<Int>(), DispatchSemaphore(value: 0))
        try reader.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
            _ = try reader.execute(
                NSAsynchronousFetchRequest(fetchRequest: request) { result in
                    counts.add(result.finalResult?.count ?? -1)
                    done.signal()
                })
        }
        #expect(done.wait(timeout: .now() + 20) == .success)
        #expect(counts.all == [3])
    }

    @Test("a fetch with prefetching reads one state of the store")
    func prefetchingReadsOneState() throws {
        let scene = try ReadingScene(heroes: 2)
        let (reader, writer) = (scene.newContext(), scene.newContext())
        let turns = Mutex(0)
        NSSortDescriptor.registerComparison("parallelReadingTestsCompare:") { left, right in
            // The first row has been read: the transaction has begun.
            if turns.withLock({ turns in
                turns += 1
                return turns == 1
            }) {
                let wasSaved = onAnotherThread {
                    writer.performAndWait {
                        let heroes = (try? writer.all("Hero")) ?? []
                        for hero in heroes { writer.insert("Power", ["name": "late", "hero": hero]) }
                        try? writer.save()
                    }
                }
                #expect(wasSaved)
            }
            return "\(left)".compare("\(right)")
        }
        let request = NSFetchRequest<Hero>(entityName: "Hero")
        request.sortDescriptors = [
            NSSortDescriptor(key: "name", ascending: true, selector: "parallelReadingTestsCompare:")
        ]
        request.relationshipKeyPathsForPrefetching = ["powers"]
        let counts = try reader.performAndWait { try reader.fetch(request).map(\.powers.count) }
        #expect(turns.withLock { $0 } > 0)
        #expect(counts == [1, 1])
        // Both readers of one question each see the save, with the application's comparison as well.
        let later = try reader.performAndWait {
            reader.reset()
            return try reader.fetch(request).map(\.powers.count)
        }
        #expect(later == [2, 2])
    }

    @Test(
        "a context that saves in the middle of its fetch sees the save afterwards, and the readers know all functions")
    func saveWithinFetchIsSeenAfterwards() throws {
        let scene = try ReadingScene(heroes: 4)
        try scene.meetAtStore()
        let context = scene.newContext()
        let found = try context.performAndWait {
            let predicate = NSPredicate(format: "name MATCHES '[12]' OR name CONTAINS[cd] 'É'")
            return try context.all("Hero", predicate, sortedBy: "name").map { $0.value(forKey: "name") as? String }
        }
        #expect(found == ["1", "2"])
    }
}
