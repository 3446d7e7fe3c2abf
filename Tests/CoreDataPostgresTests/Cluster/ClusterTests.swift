import CoreData
import CoreDataMigrationChecks
import Foundation
import PostgresKit
import TestBasics
import TestServers
import Testing

@testable import CoreDataPostgres

/// Stores on three servers under Patroni, whose leader goes.
@Suite(
    .serialized, .enabled(if: PostgresCluster.isAvailable, "there is no Patroni, or no etcd: Scripts/bootstrap test"),
    .timeLimit(.minutes(30)))
struct ClusterTests {
    /// A way for the server that takes writes to go.
    enum Loss: CaseIterable {
        case server
        case machine
        case switchover
    }

    /// How much longer than the bare loop a store may take: a busy machine proves little, a quiet one the bar.
    private static let grace = Duration.seconds(TestSeed.isExhaustive ? 2 : 20)
    /// How long the cluster may take itself: 20 s pass until it notices that a machine is gone.
    private static let patience = Duration.seconds(60)

    private static func bare(_ url: URL) throws -> ConnectionParameters { try PostgresLocation(url).parameters }

    /// Has the leader go, waits until all write again, and gives for how long they did not.
    private func lose(
        _ loss: Loss, _ cluster: PostgresCluster, _ load: ClusterLoad
    ) throws -> (bare: Duration, store: Duration) {
        #expect(cluster.isWhole(within: 90), "the cluster is whole before its leader goes")
        let leader = try #require(cluster.primary)
        // A pause begins with an answer.
        #expect(load.pauses(within: Self.patience) != nil, "everybody writes")
        load.forgetPauses()
        switch loss {
        case .server: try leader.killServer()
        case .machine: leader.stop()
        case .switchover: try cluster.switchOver()
        }
        eventually("another server leads", within: Self.patience) {
            cluster.primary.map { $0.name != leader.name } ?? false
        }
        defer { try? leader.start() }
        return try #require(load.pauses(within: Self.patience), "everybody writes again")
    }

    @Test("a server that is killed under four writers takes no acknowledged save with it, and all go on (HAZ-61)")
    func killedServer() throws {
        let cluster = try PostgresCluster()
        defer { cluster.stop() }
        let url = cluster.url(schema: "heroes")
        let load = try ClusterLoad(writers: 4, url: url, bare: Self.bare(url))
        let (bare, store) = try lose(.server, cluster, load)
        #expect(store <= bare + Self.grace, "the store took \(store), a bare loop \(bare)")
        #expect(try load.end(in: url) == [])
        #expect(load.errors == [])
        #expect(load.acknowledgedCount > 0)
    }

    @Test(
        "by one port of HAProxy writers go on through a switchover; in make soak (HAZ-61)",
        .enabled(if: PostgresCluster.hasProxy, "there is no HAProxy"))
    func byOnePortOfHAProxyWritersGoOnThroughSwitchover() throws {
        guard TestSeed.isExhaustive else { return }
        let cluster = try PostgresCluster()
        defer { cluster.stop() }
        try cluster.startProxy()
        let url = cluster.proxyURL(schema: "heroes")
        eventually("the proxy leads to the leader") { (try? Heroes(0, url: url)) != nil }
        let load = try ClusterLoad(writers: 3, url: url, bare: Self.bare(url))
        for _ in 0..<2 {
            let (bare, store) = try lose(.switchover, cluster, load)
            print("through HAProxy, switchover: a bare loop writes after \(bare), the stores after \(store)")
            #expect(store <= bare + Self.grace)
        }
        #expect(try load.end(in: url) == [])
        #expect(load.errors == [])
    }

    @Test("twenty failovers under load lose no acknowledged save; in make soak (HAZ-61)")
    func twentyFailovers() throws {
        guard TestSeed.isExhaustive else { return }
        print("failovers: seed \(TestSeed.first)")
        var random = SeededRandom(seed: TestSeed.first)
        let cluster = try PostgresCluster()
        defer { cluster.stop() }
        let url = cluster.url(schema: "heroes")
        let load = try ClusterLoad(writers: 4, url: url, bare: Self.bare(url))
        let losses = (0..<20).map { Loss.allCases[$0 % Loss.allCases.count] }.shuffled(using: &random)
        for (number, loss) in losses.enumerated() {
            Thread.sleep(forTimeInterval: Double.random(in: 0...1, using: &random))
            let (bare, store) = try lose(loss, cluster, load)
            print("failover \(number + 1), \(loss): a bare loop writes after \(bare), the stores after \(store)")
            #expect(store <= bare + Self.grace, "failover \(number + 1), \(loss)")
        }
        print("failovers: \(load.acknowledgedCount) saves acknowledged, \(load.errors.count) errors")
        #expect(try load.end(in: url) == [])
        #expect(load.errors == [])
    }
}
