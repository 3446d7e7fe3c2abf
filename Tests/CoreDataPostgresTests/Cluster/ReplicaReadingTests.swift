import CoreData
import Foundation
import PostgresKit
import StoreContract
import TestBasics
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres

/// What contexts that read from replicas see.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(5)))
struct ReplicaReadingTests {
    private typealias Answer = ReplicaScene.Answer

    @Test(
        "of 500 reads right after a save none misses it, with a replica that is waited for and one that is not (HAZ-61)",
        arguments: [false, true])
    func ownSaves(isSynchronous: Bool) throws {
        let scene = try ReplicaScene()
        if isSynchronous {
            try ReplicatedPair.ask(scene.pair.primary, "ALTER SYSTEM SET synchronous_standby_names = '*'")
            try ReplicatedPair.ask(scene.pair.primary, "SELECT pg_reload_conf()")
            eventually("the replica is synchronous") {
                (try? ReplicatedPair.ask(scene.pair.primary, "SELECT sync_state FROM pg_stat_replication").text(0, 0))
                    == "sync"
            }
        }
        let bare = try PostgresConnection.open(
            ConnectionParameters([("host", scene.pair.replica.host), ("user", "coredata"), ("dbname", "postgres")]),
            timeout: .seconds(20))
        defer { bare.close() }
        let writer = scene.heroes.newContext("writer")
        var (misses, bareMisses) = (0, 0)
        for number in 1...500 {
            try Heroes.add("\(number)", writer)
            if number % 2 == 0 {
                let found = try bare.query("SELECT count(*) FROM heroes.zhero").int64(0, 0)
                if found != Int64(number + 1) { bareMisses += 1 }
            }
            if try Heroes.count(scene.reader) != number + 1 { misses += 1 }
        }
        let answered = scene.pool.counts.answered
        print(
            "500 reads after a save, \(isSynchronous ? "synchronous" : "asynchronous") replica: \(misses) misses, "
                + "\(answered) answered by the replica; of 250 bare ones there \(bareMisses) missed")
        #expect(misses == 0)
        #expect(answered > 0)
    }

    @Test(
        "a replica that has not shown a save yet is not asked by who made it, nor by other contexts of the coordinator")
    func pausedReplay() throws {
        let scene = try ReplicaScene()
        #expect(try scene.answer() == Answer(names: ["0"], isReplicas: true))
        try scene.pauseReplay()
        try Heroes.add("saved", scene.heroes.newContext())
        #expect(try scene.bareCount() == 1, "who asks the replica misses the save")
        #expect(try scene.answer() == Answer(names: ["0", "saved"], isReplicas: false))
        try Heroes.add("own", scene.reader)
        scene.reader.performAndWait { scene.reader.reset() }
        #expect(try Heroes.names(scene.reader) == ["0", "own", "saved"])
        #expect(try scene.bareCount() == 1)
        try scene.resumeReplay()
        eventually("the replica is asked again") {
            (try? scene.answer()) == Answer(names: ["0", "own", "saved"], isReplicas: true)
        }
    }

    @Test(
        "what others save may be missing for as long as the option says, and in contexts that read from replicas only")
    func boundedLag() throws {
        let scene = try ReplicaScene(lag: 4)
        let other = try scene.another()
        try scene.pair.catchUp()
        let begin = ContinuousClock.now
        #expect(try Heroes.names(scene.reader) == ["0"])
        try scene.pauseReplay()
        try Heroes.add("other", other.context)
        let names = try Heroes.names(scene.reader)
        #expect(names == ["0"] || ContinuousClock.now - begin > .seconds(4))
        #expect(try Heroes.names(scene.heroes.newContext()) == ["0", "other"])
        Thread.sleep(forTimeInterval: 4)
        #expect(try scene.answer() == Answer(names: ["0", "other"], isReplicas: false))
        #expect(try scene.bareCount() == 1)
    }

    @Test("a replica that is up to date answers however long the server is idle")
    func idleServer() throws {
        let scene = try ReplicaScene(lag: 0.5)
        for _ in 0..<3 {
            Thread.sleep(forTimeInterval: 0.7)
            #expect(try scene.answer() == Answer(names: ["0"], isReplicas: true))
        }
    }

    @Test("with the token of another program's save every later read of the context sees it")
    func withTokenOfAnotherProgramsSaveEveryLaterReadOfContextSees() throws {
        let scene = try ReplicaScene(options: [NSPersistentHistoryTrackingKey: true])
        let other = try scene.another()
        try scene.pair.catchUp()
        #expect(try Heroes.names(scene.reader) == ["0"])
        try scene.pauseReplay()
        try Heroes.add("other", other.context)
        #expect(try Heroes.names(scene.reader) == ["0"], "the lag allows it")
        let token = try #require(other.coordinator.currentPersistentHistoryToken(fromStores: nil))
        let archive = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        scene.reader.replicaHistoryToken = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: NSPersistentHistoryToken.self, from: archive)
        #expect(try scene.answer() == Answer(names: ["0", "other"], isReplicas: false))
        #expect(try Heroes.names(scene.reader, "name == 'other'") == ["other"])
        try scene.resumeReplay()
        eventually("the replica is asked again") {
            (try? scene.answer()) == Answer(names: ["0", "other"], isReplicas: true)
        }
    }

    @Test("what was read of the history is seen by who reads later")
    func historyThatWasRead() throws {
        let scene = try ReplicaScene(options: [NSPersistentHistoryTrackingKey: true])
        let other = try scene.another()
        try scene.pair.catchUp()
        #expect(try Heroes.names(scene.reader) == ["0"])
        try scene.pauseReplay()
        try Heroes.add("other", other.context)
        #expect(try Heroes.names(scene.reader) == ["0"])
        #expect(scene.heroes.stack.coordinator.currentPersistentHistoryToken(fromStores: nil) != nil)
        #expect(try Heroes.names(scene.reader) == ["0", "other"])
    }

    @Test("a context with unsaved changes, a pinned one and one without the option do not read from a replica")
    func whoReadsFromTheServer() throws {
        let scene = try ReplicaScene()
        #expect(try scene.answer(to: scene.heroes.newContext()).isReplicas == false)
        try scene.reader.performAndWait {
            try scene.reader.setQueryGenerationFrom(.current)
            #expect(try scene.answer().isReplicas == false)
            try scene.reader.setQueryGenerationFrom(nil)
            #expect(try scene.answer().isReplicas)
            _ = scene.reader.insert("Hero", ["name": "unsaved"])
            #expect(try scene.answer() == Answer(names: ["0", "unsaved"], isReplicas: false))
            scene.reader.rollback()
            #expect(try scene.answer() == Answer(names: ["0"], isReplicas: true))
        }
        scene.reader.readsFromReplicas = false
        #expect(try scene.answer().isReplicas == false)
    }

    @Test("rows that a replica had are not known to other contexts, and faults are filled by the same rule")
    func rowsThatReplicaHadAreNotKnownToOtherContexts() throws {
        let scene = try ReplicaScene()
        let other = try scene.another()
        try scene.pair.catchUp()
        _ = try Heroes.names(scene.reader)
        try scene.pauseReplay()
        try other.context.performAndWait {
            let hero = try #require(try other.context.all("Hero").first)
            hero.setValue("changed", forKey: "name")
            try other.context.save()
        }
        try scene.reader.performAndWait {
            let hero = try #require(try scene.reader.all("Hero").first)
            #expect(hero.value(forKey: "name") as? String == "0")
            let present = scene.heroes.newContext()
            present.performAndWait {
                let same = present.object(with: hero.objectID)
                #expect(same.value(forKey: "name") as? String == "changed")
            }
            // A save of the coordinator is seen, and all that was saved before it.
            try Heroes.add("later", scene.heroes.newContext())
            scene.reader.refresh(hero, mergeChanges: false)
            #expect(hero.value(forKey: "name") as? String == "changed")
        }
    }
}
