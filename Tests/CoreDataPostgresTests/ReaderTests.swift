import CoreData
import Dispatch
import Foundation
import PostgresKit
import StoreContract
import Synchronization
import TestBasics
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres

/// Reading a store on a server on several threads, and states that are kept.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(5)))
struct ReaderTests {
    private static var single: [AnyHashable: Any] {
        [NSPersistentStoreConnectionPoolMaxSizeKey: 1, CoreDataPostgreSQLReaderWaitOption: 0.2]
    }

    private static func pool(_ heroes: Heroes) throws -> ReaderPool {
        try #require((heroes.stack.store.objects as? PostgresStore)?.pool)
    }

    @Test("a store has as many readers as its option says, else four", arguments: [(nil, 4), (2, 2), (-3, 1)])
    func count(option: Int?, expected: Int) throws {
        let heroes = try Heroes(1, options: option.map { [NSPersistentStoreConnectionPoolMaxSizeKey: $0] } ?? [:])
        let readers = try #require(heroes.stack.store.objects?.readers)
        #expect(readers.readerCount == expected && readers.keepsStates)
    }

    @Test("a pinned context goes on seeing what it saw, until it moves on (CTX-06)")
    func pinnedContextGoesOnSeeingWhatItSaw() throws {
        let heroes = try Heroes(3)
        let (pinned, writer) = (heroes.newContext(), heroes.newContext())
        try pinned.setQueryGenerationFrom(.current)
        #expect(try Heroes.names(pinned) == ["0", "1", "2"])
        try Heroes.add("3", writer)
        writer.delete(try #require(try writer.fetch(Heroes.request("name == '0'")).first))
        try writer.save()
        #expect(try Heroes.names(heroes.newContext()) == ["1", "2", "3"])
        #expect(try Heroes.names(pinned) == ["0", "1", "2"] && Heroes.count(pinned) == 3)
        // What is finished in memory is read of the same state.
        #expect(try Heroes.names(pinned, "name MATCHES '[0-3]'") == ["0", "1", "2"])
        try pinned.setQueryGenerationFrom(nil)
        #expect(try Heroes.names(pinned) == ["1", "2", "3"])
    }

    @Test("a save moves a pinned context on (CTX-06)")
    func savesAdvance() throws {
        let heroes = try Heroes(1)
        let (pinned, writer) = (heroes.newContext(), heroes.newContext())
        try pinned.setQueryGenerationFrom(.current)
        #expect(try Heroes.names(pinned) == ["0"])
        try Heroes.add("1", writer)
        try Heroes.add("2", pinned)
        #expect(try Heroes.names(pinned) == ["0", "1", "2"])
    }

    @Test("a pinned context's save over newer rows is a conflict (CTX-21)")
    func pinnedContextsSaveOverNewerRowsIsConflict() throws {
        let heroes = try Heroes(1)
        let (pinned, writer) = (heroes.newContext(), heroes.newContext())
        try pinned.setQueryGenerationFrom(.current)
        let hero = try #require(try pinned.fetch(Heroes.request()).first)
        hero.setValue(5, forKey: "strength")
        let other = try #require(try writer.fetch(Heroes.request()).first)
        other.setValue("newer", forKey: "name")
        try writer.save()
        let error = #expect(throws: NSError.self) { try pinned.save() }
        #expect(error?.code == NSManagedObjectMergeError)
    }

    @Test("a state that is kept for too long is given up with an error, and the context goes on when pinned again")
    func stateThatIsKeptForTooLongIsGivenUpWithError() throws {
        let heroes = try Heroes(2, options: [CoreDataPostgreSQLGenerationMaximumAgeOption: 0.2])
        let pinned = heroes.newContext()
        try pinned.setQueryGenerationFrom(.current)
        #expect(try Heroes.names(pinned).count == 2)
        let end = Date(timeIntervalSinceNow: 20)
        var error: NSError?
        while error == nil, Date() < end {
            do { _ = try Heroes.count(pinned) } catch let found { error = found as NSError }
            usleep(20_000)
        }
        #expect(error?.code == NSPersistentStoreTimeoutError)
        #expect(error?.localizedDescription.contains("given up") == true)
        try pinned.setQueryGenerationFrom(.current)
        #expect(try Heroes.names(pinned).count == 2)
    }

    @Test("the state too many is refused with who has the readers, and taken when they are let go of")
    func stateTooManyIsRefusedWithWhoHasReaders() throws {
        let heroes = try Heroes(3, options: Self.single)
        let (pinned, walker) = (heroes.newContext("pinned"), heroes.newContext())
        try pinned.setQueryGenerationFrom(.current)
        #expect(try Heroes.names(pinned).count == 3)
        walker.performAndWait {
            let error = expectError(134090) { try walker.objects(of: Heroes.request()).enumerateObjects { _ in } }
            #expect(error?.localizedDescription.contains("a query generation of the context 'pinned'") == true)
        }
        try pinned.setQueryGenerationFrom(nil)
        var count = 0
        try walker.performAndWait { try walker.objects(of: Heroes.request()).enumerateObjects { _ in count += 1 } }
        #expect(count == 3)
        #expect(try Self.pool(heroes).idleReaders.count == 1)
    }

    @Test("eight threads read while one saves, and each answer is of one state")
    func eightThreadsReadWhileOneSaves() throws {
        let heroes = try Heroes(200)
        let failures = Mutex<[String]>([])
        let done = DispatchGroup()
        for number in 0..<8 {
            done.enter()
            Thread.detachNewThread {
                defer { done.leave() }
                let context = heroes.newContext("\(number)")
                for _ in 0..<20 {
                    do {
                        let count = try Heroes.names(context).count
                        if count < 200 || count % 2 != 0 { failures.withLock { $0.append("\(count) heroes") } }
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                }
            }
        }
        let writer = heroes.newContext()
        for number in 0..<20 {
            try writer.performAndWait {
                for half in ["a", "b"] { writer.insert("Hero", ["name": "new \(number)\(half)"]) }
                try writer.save()
            }
        }
        #expect(done.wait(timeout: .now() + 120) == .success)
        #expect(failures.withLock { $0 } == [])
        #expect(try Heroes.count(heroes.newContext()) == 240)
    }

    @Test(
        "rows come a piece at a time as they were when reading began, also where memory decides",
        arguments: [nil, "name MATCHES '.*'"])
    func rowsComePieceAtTimeAsTheyWereWhenReadingBegan(format: String?) throws {
        let heroes = try Heroes(3_500)
        let (walker, writer) = (heroes.newContext(), heroes.newContext())
        try walker.performAndWait {
            var walk = walker.objects(of: Heroes.request(format)).makeAsyncIterator()
            var names: [String] = []
            while let hero = try walk.next() {
                names.append(hero.value(forKey: "name") as? String ?? "")
                if names.count == 10 { try Heroes.add("!", writer) }
            }
            #expect(names == (0..<3_500).map { "\($0)" }.sorted())
        }
        #expect(try Heroes.count(writer) == 3_501)
    }

    @Test("a cursor asks for no more rows than are wanted, and goes when it is let go of")
    func cursorAsksForNoMoreRowsThanAreWanted() throws {
        let heroes = try Heroes(2_000)
        let store = heroes.stack.store
        let kept = try #require(try store.keptState(for: ReaderUse(.stream)) as? PostgresReader)
        defer { kept.release() }
        let layout = try #require(store.objects as? PostgresStore).shape.layouts.layout(named: "Hero")
        let binding = store.binding(for: try #require(layout))
        let query = FetchQuery(binding: binding)
        var stream: (any RowStream)? = try kept.stream(query)
        #expect(try stream?.next(70).rowCount == 70)
        #expect(try kept.cursorCount() == 1)
        // A question that fails in the state takes neither the state nor the cursor with it.
        #expect(throws: (any Error).self) { try kept.answering { try $0.query("SELECT 1/0") } }
        #expect(try stream?.next(70).rowCount == 70)
        stream = nil
        #expect(try kept.cursorCount() == 0)
    }
}

extension PostgresReader {
    fileprivate func cursorCount() throws -> Int64? {
        try answering { try $0.query("SELECT count(*) FROM pg_cursors WHERE name LIKE 'opencoredata%'").int64(0, 0) }
    }
}
