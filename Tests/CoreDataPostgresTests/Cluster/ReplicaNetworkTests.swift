import CoreData
import Foundation
import PostgresKit
import TestBasics
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres

/// Contexts that read from replicas where something stands between: a network that swallows what it is given, or a pooler.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(5)))
struct ReplicaNetworkTests {
    private typealias Answer = ReplicaScene.Answer

    /// The URL of a store whose servers are reached through sockets in these folders.
    private static func url(_ hosts: [String], _ more: String = "") throws -> URL {
        try #require(
            URL(string: "postgresql://coredata@/postgres?host=\(hosts.joined(separator: ","))&schema=heroes\(more)"))
    }

    private static func scene(
        _ pair: ReplicatedPair, _ proxy: FaultProxy, _ options: [AnyHashable: Any]
    ) throws -> ReplicaScene {
        let lag = [CoreDataPostgreSQLReplicaMaximumLagOption: ReplicaScene.anyLag]
        let url = try url([proxy.host, pair.primary.host])
        return try ReplicaScene(pair: pair, heroes: Heroes(1, options: options.merging(lag) { $1 }, url: url))
    }

    @Test(
        "a replica whose network swallows requests or answers blocks no fetch: the server answers, and the replica once it is back",
        arguments: [WireFault.stallBeforeRequest, .stallBeforeAnswer], [true, false])
    func silentReplica(fault: WireFault, hasDeadline: Bool) throws {
        let pair = try ReplicatedPair()
        let proxy = try FaultProxy(to: pair.replica)
        defer { proxy.stop() }
        // A deadline ends before the silence would be noticed.
        let scene = try Self.scene(
            pair, proxy,
            hasDeadline ? [CoreDataPostgreSQLStatementTimeoutOption: 0.8] : [CoreDataPostgreSQLSilenceOption: 0.4])
        #expect(try scene.answer() == Answer(names: ["0"], isReplicas: true))
        proxy.armAll(fault)
        let before = proxy.hits
        for _ in 0..<3 { #expect(try scene.answer() == Answer(names: ["0"], isReplicas: false)) }
        #expect(proxy.hits > before, "the replica was asked")
        // Who saves waits for no replica, and sees his save.
        try Heroes.add("later", scene.heroes.newContext())
        #expect(try scene.answer() == Answer(names: ["0", "later"], isReplicas: false))
        proxy.disarm()
        eventually("the replica answers again") {
            (try? scene.answer()) == Answer(names: ["0", "later"], isReplicas: true)
        }
    }

    @Test("a replica that falls silent in the middle of a fetch with prefetching has the fetch run on the server")
    func silentWithinFetch() throws {
        let pair = try ReplicatedPair()
        let proxy = try FaultProxy(to: pair.replica)
        defer { proxy.stop() }
        let scene = try Self.scene(pair, proxy, [CoreDataPostgreSQLSilenceOption: 0.4])
        #expect(try scene.answer().isReplicas)
        let request = Heroes.request()
        request.returnsObjectsAsFaults = false
        request.relationshipKeyPathsForPrefetching = ["powers"]
        for trip in 1...3 {
            proxy.arm(.stallBeforeAnswer, at: trip)
            let names = try scene.reader.performAndWait {
                scene.reader.reset()
                return try scene.reader.fetch(request).map { $0.value(forKey: "name") as? String }
            }
            #expect(names == ["0"], "round trip \(trip)")
            proxy.disarm()
            eventually("the replica answers again") { (try? scene.answer().isReplicas) == true }
        }
        #expect(proxy.hits > 0)
    }

    @Test(
        "behind a pooler in transaction mode contexts read from a replica beside it, and see every save (HAZ-61)",
        .enabled(if: PgBouncer.isInstalled, "Debian's package 'pgbouncer' is not installed"))
    func pooledPrimary() throws {
        let pair = try ReplicatedPair()
        let pooler = try PgBouncer(to: pair.primary)
        defer { pooler.stop() }
        let url = try Self.url([pair.replica.host, pooler.host], "&pgbouncer=true")
        let heroes = try Heroes(1, options: [CoreDataPostgreSQLReplicaMaximumLagOption: ReplicaScene.anyLag], url: url)
        let scene = try ReplicaScene(pair: pair, heroes: heroes)
        #expect(try scene.answer() == Answer(names: ["0"], isReplicas: true))
        let writers = (0..<3).map { _ in heroes.newContext() }
        for number in 1...30 {
            let name = "name \(number)"
            try Heroes.add(name, writers[number % 3])
            #expect(try Heroes.names(scene.reader, "name == '\(name)'") == [name])
        }
        try scene.pauseReplay()
        try Heroes.add("unseen there", writers[0])
        let answer = try scene.answer()
        #expect(answer.names.contains("unseen there") && !answer.isReplicas)
        try scene.resumeReplay()
        eventually("the replica answers again") { (try? scene.answer().isReplicas) == true }
        // States are kept through the pooler, too.
        let pinned = heroes.newContext()
        try pinned.setQueryGenerationFrom(.current)
        #expect(try Heroes.count(pinned) == 32)
        try Heroes.add("after", writers[1])
        #expect(try Heroes.count(pinned) == 32)
        #expect(try Heroes.count(writers[2]) == 33)
    }

    @Test(
        "a pooler before the replica too, and one that goes, have every save seen (HAZ-61)",
        .enabled(if: PgBouncer.isInstalled, "Debian's package 'pgbouncer' is not installed"))
    func pooledReplica() throws {
        let pair = try ReplicatedPair()
        let (one, other) = (try PgBouncer(to: pair.primary), try PgBouncer(to: pair.replica, connections: 1))
        defer { one.stop() }
        let url = try Self.url([other.host, one.host], "&pgbouncer=true")
        let heroes = try Heroes(1, options: [CoreDataPostgreSQLReplicaMaximumLagOption: ReplicaScene.anyLag], url: url)
        let scene = try ReplicaScene(pair: pair, heroes: heroes)
        #expect(try scene.answer() == Answer(names: ["0"], isReplicas: true))
        let writer = heroes.newContext()
        for number in 1...10 {
            try Heroes.add("name \(number)", writer)
            #expect(try Heroes.names(scene.reader, "name == 'name \(number)'") == ["name \(number)"])
        }
        other.stop()
        try Heroes.add("last", writer)
        #expect(try scene.answer().names.count == 12)
        #expect(try scene.answer().isReplicas == false)
    }
}
