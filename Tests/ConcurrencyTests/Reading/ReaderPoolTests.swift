import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@testable import CoreDataGraph
@testable import CoreDataSQLite

/// How many read at once, and what becomes of those who have to wait.
@Suite(.timeLimit(.minutes(5))) struct ReaderPoolTests {
    private static var single: [String: Any] {
        [NSPersistentStoreConnectionPoolMaxSizeKey: 1, SQLiteStoreReaderPatienceOption: 0.2]
    }

    private static func heroes() -> NSFetchRequest<NSManagedObject> { NSFetchRequest(entityName: "Hero") }

    // MARK: Capability

    @Test(
        "a store has as many readers as its option says, else four",
        arguments: [(nil, 4), (2, 2), (1, 1), (0, 1), (-3, 1)] as [(Int?, Int)])
    func storeHasAsManyReadersAsItsOptionSays(option: Int?, expected: Int) throws {
        let scene = try ReadingScene(option.map { [NSPersistentStoreConnectionPoolMaxSizeKey: $0] } ?? [:])
        let readers = try #require(scene.store.objects?.readers)
        #expect(readers.readerCount == expected && readers.keepsStates)
    }

    @Test(
        "a store that allows no reading beside a save has one reader",
        arguments: [["journal_mode": "delete"], ["journal_mode": "truncate"], ["locking_mode": "exclusive"]])
    func oneReader(pragmas: [String: String]) throws {
        let scene = try ReadingScene([NSSQLitePragmasOption: pragmas])
        #expect(scene.store.objects?.readers == nil)
        let reader = scene.newContext()
        #expect(try reader.performAndWait { try reader.all("Hero").count } == 3)
    }

    @Test("SQLite's stores in memory have one reader", arguments: ["/dev/null", "/dev/null/shared-readers"])
    func sqLitesStoresInMemoryHaveOneReader(path: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HeroModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path))
        #expect(store.objects?.readers == nil)
    }

    @Test(
        "stores whose records are in memory have any number of readers, none of which keeps a state",
        arguments: [NSInMemoryStoreType, NSXMLStoreType, NSBinaryStoreType])
    func storesWhoseRecordsAreInMemoryHaveAnyNumberOfReaders(kind: String) throws {
        let scene = try ReadingScene(of: kind)
        let readers = try #require(scene.store.objects?.readers)
        #expect(readers.readerCount > 1_000 && !readers.keepsStates)
        #expect(try scene.store.keptState(for: ReaderUse(.fetch)) == nil)
    }

    @Test("a program of one thread uses one connection, and two threads that meet use readers")
    func programOfOneThreadUsesOneConnection() throws {
        let scene = try ReadingScene()
        let context = scene.newContext()
        try context.performAndWait { _ = try context.all("Hero") }
        #expect(!scene.store.access.isContended)
        try scene.meetAtStore()
        #expect(scene.store.access.isContended)
    }

    // MARK: Waiting

    @Test(
        "who gives up a question does not go on waiting for the store or for a reader",
        arguments: [["journal_mode": "delete"], [:]])
    func whoGivesUpQuestionDoesNotGoOnWaitingForStoreOrForReader(pragmas: [String: String]) throws {
        let scene = try ReadingScene(
            Self.single.merging([
                NSSQLitePragmasOption: pragmas, SQLiteStoreReaderPatienceOption: 60.0,
            ]) { $1 })
        try scene.meetAtStore()
        // The one reader, if the store has any, is in use too.
        let kept = try scene.store.keptState(for: ReaderUse(.generation))
        defer { kept?.release() }
        #expect((kept == nil) == !pragmas.isEmpty)
        let (cancellation, outcome) = (ReadCancellation(), Notes<String>())
        let hasEnded = scene.store.serialized {
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { cancellation.cancel() }
            return onAnotherThread {
                ReadCancellation.$current.withValue(cancellation) {
                    do {
                        try scene.store.reading { _ in outcome.add("read") }
                    } catch {
                        outcome.add("\(type(of: error))")
                    }
                }
            }
        }
        #expect(hasEnded)
        #expect(outcome.all == ["CancellationError"])
    }

    @Test("a fetch that finds all readers in use waits for a limited time, and fails with the names of their users")
    func fetchThatFindsAllReadersInUseWaitsForLimitedTime() throws {
        let scene = try ReadingScene(Self.single)
        let (walker, writer, reader) = (scene.newContext("walker"), scene.newContext(), scene.newContext())
        try walker.performAndWait {
            var walk = walker.objects(of: Self.heroes()).makeAsyncIterator()
            #expect(try walk.next() != nil)
            writer.performAndWait { _ = writer.insert("Hero", ["name": "new"]) }
            let save = try StandingSave(writer, in: scene)
            let error = reader.performAndWait { expectError(134090) { try reader.fetch(Self.heroes()) } }
            let text = error?.localizedDescription ?? ""
            for part in ["1 readers", "a streamed result", "'walker'"] { #expect(text.contains(part), "\(text)") }
            // Whoever is not bound to a reader reads with the store's own connection once it is free.
            #expect(save.finish() == nil)
            #expect(try reader.performAndWait { try reader.fetch(Self.heroes()).count } == 4)
            var rest = 0
            while try walk.next() != nil { rest += 1 }
            #expect(rest == 2)
        }
    }

    @Test("walks and query generations take their share, and the one too many is refused")
    func longUses() throws {
        let scene = try ReadingScene(Self.single)
        let (pinned, walker) = (scene.newContext("pinned"), scene.newContext())
        try pinned.performAndWait {
            try pinned.setQueryGenerationFrom(.current)
            #expect(try pinned.fetch(Self.heroes()).count == 3)
        }
        walker.performAndWait {
            let error = expectError(134090) { try walker.objects(of: Self.heroes()).enumerateObjects { _ in } }
            #expect(error?.localizedDescription.contains("a query generation of the context 'pinned'") == true)
        }
        try pinned.performAndWait { try pinned.setQueryGenerationFrom(nil) }
        try walker.performAndWait {
            var count = 0
            try walker.objects(of: Self.heroes()).enumerateObjects { _ in count += 1 }
            #expect(count == 3)
        }
    }

    @Test("an asynchronous fetch that waits for a reader is cancelled")
    func asynchronousFetchThatWaitsForReaderIsCancelled() throws {
        let scene = try ReadingScene(
            Self.single.merging([SQLiteStoreReaderPatienceOption: 600.0]) { $1 })
        let (walker, reader) = (scene.newContext(), scene.newContext())
        try walker.performAndWait {
            var walk = walker.objects(of: Self.heroes()).makeAsyncIterator()
            #expect(try walk.next() != nil)
            let (codes, done) = (Notes<Int>(), DispatchSemaphore(value: 0))
            let progress = try reader.performAndWait {
                let result = try reader.execute(
                    NSAsynchronousFetchRequest(fetchRequest: Self.heroes()) { result in
                        codes.add((result.operationError as NSError?)?.code ?? 0)
                        done.signal()
                    })
                return Transfer((result as? NSPersistentStoreAsynchronousResult)?.progress)
            }
            #expect(done.wait(timeout: .now() + 0.1) == .timedOut)
            progress.value?.cancel()
            #expect(done.wait(timeout: .now() + 20) == .success)
            #expect(codes.all == [NSUserCancelledError])
        }
    }

    // MARK: Ending

    @Test("removing a store waits for those who read, and the file is sound afterwards")
    func removingStoreWaitsForThoseWhoRead() throws {
        let scene = try ReadingScene(heroes: 200)
        try scene.meetAtStore()
        let (inside, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let order = Notes<String>()
        let (reading, removing) = (DispatchGroup(), DispatchGroup())
        reading.enter()
        Thread.detachNewThread {
            _ = try? scene.store.reading { _ in
                inside.signal()
                _ = release.wait(timeout: .now() + 10)
                order.add("read")
            }
            reading.leave()
        }
        _ = inside.wait(timeout: .now() + 10)
        removing.enter()
        Thread.detachNewThread {
            try? scene.coordinator.remove(scene.store)
            order.add("removed")
            removing.leave()
        }
        #expect(removing.wait(timeout: .now() + 0.2) == .timedOut)
        release.signal()
        reading.wait()
        removing.wait()
        #expect(order.all == ["read", "removed"])
        #expect(try scene.store.reading { _ in true } == nil)
        #expect(try Connection.open(scene.url.path).integrityFaults() == [])
    }

    @Test("a statement that goes on for too long is interrupted when its store is removed")
    func statementThatGoesOnForTooLongIsInterruptedWhenItsStore() throws {
        let scene = try ReadingScene()
        try scene.meetAtStore()
        let endless = "WITH RECURSIVE n(i) AS (SELECT begun() UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
        let errors = Notes<Int32>()
        let inside = DispatchSemaphore(value: 0)
        let isOver = DispatchGroup()
        isOver.enter()
        Thread.detachNewThread {
            _ = try? scene.store.reading { reading in
                do {
                    let connection = (reading.reader as? StoreFile)?.connection
                    try connection?.registerFunction("begun", argumentCount: 0) { _ in
                        inside.signal()
                        return .integer(1)
                    }
                    _ = try connection?.value(endless)
                } catch { errors.add((error as? SQLiteError)?.code.rawValue ?? -1) }
            }
            isOver.leave()
        }
        inside.wait(for: "the statement", within: .seconds(30))
        try scene.coordinator.remove(scene.store)
        #expect(isOver.wait(timeout: .now() + 20) == .success)
        #expect(errors.all == [ResultCode.interrupted.rawValue])
    }

    // MARK: Files

    @Test("readers of a file that another took the place of read what the store has, not the other")
    func replacedFile() throws {
        let scene = try ReadingScene()
        try scene.meetAtStore()
        // What readers there are is gone, so that the next one has to be made.
        try scene.pool.renew()
        let other = try ReadingScene(heroes: 9)
        try FileManager.default.removeItem(at: scene.url)
        try FileManager.default.copyItem(at: other.url, to: scene.url)
        let context = scene.newContext()
        #expect(try context.performAndWait { try context.all("Hero").count } == 3)
    }

    @Test("a reader that is in use for long is reported when the log grows")
    func longUseIsReported() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let scene = try ReadingScene([SQLiteStoreLongestReadingOption: 0.01])
            let (pinned, writer) = (scene.newContext("pinned"), scene.newContext())
            try pinned.performAndWait {
                try pinned.setQueryGenerationFrom(.current)
                _ = try pinned.all("Hero")
            }
            usleep(50_000)
            for number in 0..<3 {
                try writer.performAndWait {
                    writer.insert("Hero", ["name": "\(number)"])
                    try writer.save()
                }
            }
            withExtendedLifetime(pinned) {}
        }
        let lines = result.standardErrorText.split(separator: "\n").filter { $0.contains("has a reader in use") }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("a query generation of the context 'pinned'") == true, "\(lines)")
    }
}
