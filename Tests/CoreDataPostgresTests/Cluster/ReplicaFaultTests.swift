import CoreData
import Foundation
import PostgresKit
import StoreContract
import Synchronization
import TestBasics
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres

/// A hero that runs something when its values have been read, before what is prefetched is.
final class InterruptedHero: NSManagedObject {
    /// What is run, once.
    static let interruption = Mutex<(@Sendable () -> Void)?>(nil)

    override func awakeFromFetch() {
        super.awakeFromFetch()
        Self.interruption.withLock { $0.take() }?()
    }
}

/// What contexts that read from replicas see when one of them goes, is promoted, or takes an answer back.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(5)))
struct ReplicaFaultTests {
    private typealias Answer = ReplicaScene.Answer

    @Test("reads go on when the replica stops, and at the replica when it is there again")
    func stoppedReplica() throws {
        let scene = try ReplicaScene()
        #expect(try scene.answer().isReplicas)
        scene.pair.replica.stop()
        for _ in 0..<3 {
            #expect(try scene.answer() == Answer(names: ["0"], isReplicas: false))
        }
        try scene.pair.replica.start()
        eventually("the replica is asked again") {
            (try? scene.answer()) == Answer(names: ["0"], isReplicas: true)
        }
    }

    @Test("a replica that takes the server's place is a replica no longer, and all saves are seen")
    func promotedReplica() throws {
        let scene = try ReplicaScene()
        #expect(try scene.answer().isReplicas)
        try scene.pair.failOver()
        try Heroes.add("later", scene.heroes.newContext())
        #expect(try scene.answer() == Answer(names: ["0", "later"], isReplicas: false))
    }

    @Test("a replica that a failover cut off does not answer, though it is further in its log than the new server")
    func cutOffReplica() throws {
        let pair = try ReplicatedPair()
        let third = try PostgresServer(replicaOf: pair.primary)
        defer { third.stop() }
        let url = PostgresServer.url(schema: "heroes", on: [pair.primary, pair.replica, third])
        let heroes = try Heroes(1, options: [CoreDataPostgreSQLReplicaMaximumLagOption: ReplicaScene.anyLag], url: url)
        let scene = try ReplicaScene(pair: pair, heroes: heroes)
        #expect(try scene.answer().isReplicas)
        try pair.cut()
        try ReplicatedPair.ask(pair.primary, "CREATE TABLE public.load AS SELECT generate_series(1, 50000)")
        eventually("the third server has all") {
            (try? ReplicatedPair.ask(third, "SELECT count(*) FROM public.load").int64(0, 0)) == 50_000
        }
        try pair.failOver()
        try Heroes.add("later", heroes.newContext())
        let place = "(pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::int8"
        let reached = try ReplicatedPair.ask(third, "SELECT \(place)").int64(0, 0)
        let needed = try LogPosition(ReplicatedPair.ask(pair.replica, LogPosition.question.sql))
        #expect(try #require(reached) > #require(needed).place)
        for _ in 0..<3 { #expect(try scene.answer() == Answer(names: ["0", "later"], isReplicas: false)) }
    }

    @Test(
        "after a failover a replica that follows the new server answers once it has a save of its own, or the new timeline on its disk"
    )
    func afterFailoverReplicaThatFollowsNewServerAnswersOnce() throws {
        let pair = try ReplicatedPair()
        let third = try PostgresServer(replicaOf: pair.primary)
        defer { third.stop() }
        let url = PostgresServer.url(schema: "heroes", on: [pair.primary, pair.replica, third])
        let heroes = try Heroes(1, options: [CoreDataPostgreSQLReplicaMaximumLagOption: ReplicaScene.anyLag], url: url)
        let scene = try ReplicaScene(pair: pair, heroes: heroes)
        try pair.failOver()
        try Heroes.add("later", heroes.newContext())
        // Cut off, the replica has nothing of what came after the failover.
        #expect(try scene.answer() == Answer(names: ["0", "later"], isReplicas: false))
        try ReplicatedPair.ask(
            third, "ALTER SYSTEM SET primary_conninfo = 'host=\(pair.replica.host) user=coredata'")
        try ReplicatedPair.ask(third, "SELECT pg_reload_conf()")
        eventually("the replica answers who has saved") {
            (try? scene.answer()) == Answer(names: ["0", "later"], isReplicas: true)
        }
        let reading = try Stack(HeroModel.make(), url: url, kind: .postgreSQL, options: heroes.stack.options)
        let pool = try #require((reading.store.objects as? PostgresStore)?.replicaPool)
        let reader = reading.newContext()
        reader.readsFromReplicas = true
        try ReplicatedPair.ask(pair.replica, "CHECKPOINT")
        try pair.catchUp(from: pair.replica, to: third)
        try ReplicatedPair.ask(third, "CHECKPOINT")
        eventually("the replica answers who has not") {
            (try? Heroes.names(reader)) == ["0", "later"] && pool.counts.answered > 0
        }
    }

    @Test("a fetch whose state the replica gives up for its recovery is answered by the server")
    func recoveryConflict() throws {
        let scene = try ReplicaScene(settings: ["max_standby_streaming_delay": "0"])
        let model = HeroModel.make()
        model.entitiesByName["Hero"]?.managedObjectClassName = "CoreDataPostgresTests.InterruptedHero"
        model.entitiesByName["SuperHero"]?.managedObjectClassName = "CoreDataPostgresTests.InterruptedHero"
        let stack = try Stack(
            model, url: scene.heroes.stack.url, kind: .postgreSQL, options: scene.heroes.stack.options)
        let pool = try #require((stack.store.objects as? PostgresStore)?.replicaPool)
        let context = stack.newContext()
        context.readsFromReplicas = true
        try scene.pair.catchUp()
        let request = Heroes.request()
        request.returnsObjectsAsFaults = false
        request.relationshipKeyPathsForPrefetching = ["powers"]
        let pair = scene.pair
        InterruptedHero.interruption.withLock {
            $0 = {
                // Rows go that the replica's transaction still sees.
                _ = try? ReplicatedPair.ask(pair.primary, "UPDATE heroes.zhero SET zstrength = 7")
                _ = try? ReplicatedPair.ask(pair.primary, "VACUUM heroes.zhero")
                try? pair.catchUp()
            }
        }
        try context.performAndWait {
            let found = try context.fetch(request)
            #expect(found.map { $0.value(forKey: "name") as? String } == ["0"])
        }
        #expect(InterruptedHero.interruption.withLock { $0 == nil }, "the state was interrupted")
        #expect(pool.counts.refused == 1)
        eventually("the replica answers a fetch that nothing interrupts") {
            let before = pool.counts.answered
            context.performAndWait {
                context.reset()
                _ = try? context.fetch(request)
            }
            return pool.counts.answered > before
        }
    }

    @Test("programs of another version get 134100 from the replica's side too")
    func otherEpoch() throws {
        let scene = try ReplicaScene()
        #expect(try scene.answer().isReplicas)
        let epoch = try ReplicatedPair.ask(
            scene.pair.primary,
            "SELECT attname FROM pg_attribute WHERE attrelid = 'heroes.z_metadata'::regclass AND attname LIKE 'z\\_epoch\\_%'"
        )
        let column = try #require(epoch.text(0, 0))
        try ReplicatedPair.ask(
            scene.pair.primary, "ALTER TABLE heroes.z_metadata RENAME COLUMN \(column) TO z_epoch_0000000000000000")
        try scene.pair.catchUp()
        expectError(NSPersistentStoreIncompatibleVersionHashError) { _ = try Heroes.names(scene.reader) }
    }

    @Test("threads that read from replicas and save at once see their own saves")
    func manyThreads() throws {
        let scene = try ReplicaScene(options: [NSPersistentStoreConnectionPoolMaxSizeKey: 3])
        let misses = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 6) { thread in
            let (writer, reader) = (scene.heroes.newContext(), scene.heroes.newContext())
            reader.readsFromReplicas = true
            for number in 0..<40 {
                let name = "\(thread)-\(number)"
                try? Heroes.add(name, writer)
                let names = try? Heroes.names(reader, "name == '\(name)'")
                if names != [name] { misses.withLock { $0 += 1 } }
            }
        }
        #expect(misses.withLock { $0 } == 0)
        #expect(scene.pool.counts.answered > 0)
    }
}
