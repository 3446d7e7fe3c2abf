import CoreData
import Dispatch
import Foundation
import StoreContract
import Synchronization
import TestBasics
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres

/// Contexts that read from the replicas of a cluster under Patroni, whose leader goes.
@Suite(
    .serialized, .enabled(if: PostgresCluster.isAvailable, "there is no Patroni, or no etcd: Scripts/bootstrap test"),
    .timeLimit(.minutes(10)))
struct ReplicaClusterTests {
    /// What threads found that save and read.
    private struct Found {
        var reads = 0
        var misses: [String] = []
        var errors: [String] = []
        var isOver = false
    }

    @Test("through failovers no read from replicas misses an own save, and none fails; in make soak (HAZ-61)")
    func throughFailoversNoReadFromReplicasMissesOwnSave() throws {
        guard TestSeed.isExhaustive else { return }
        let cluster = try PostgresCluster()
        defer { cluster.stop() }
        let heroes = try Heroes(
            0, options: [CoreDataPostgreSQLReplicaMaximumLagOption: 5], url: cluster.url(schema: "heroes"))
        let pool = try #require((heroes.stack.store.objects as? PostgresStore)?.replicaPool)
        let found = Mutex(Found())
        let done = DispatchGroup()
        for thread in 0..<3 {
            done.enter()
            Thread.detachNewThread {
                Self.run(thread, heroes, found)
                done.leave()
            }
        }
        for isSwitchover in [false, true, false] {
            #expect(cluster.isWhole(within: 90), "the cluster is whole before its leader goes")
            Thread.sleep(forTimeInterval: 2)
            let leader = try #require(cluster.primary)
            let before = (pool.counts, found.withLock { $0.reads })
            if isSwitchover { try cluster.switchOver() } else { try leader.killServer() }
            eventually("another server leads", within: .seconds(60)) {
                cluster.primary.map { $0.name != leader.name } ?? false
            }
            try? leader.start()
            eventually("all go on", within: .seconds(60)) { found.withLock { $0.reads } > before.1 + 20 }
            let after = (pool.counts, found.withLock { $0.reads })
            print(
                "replicas in a failover: \(after.1 - before.1) reads, \(after.0.answered - before.0.answered) answered by replicas, "
                    + "\(after.0.refused - before.0.refused) refused")
        }
        Thread.sleep(forTimeInterval: 3)
        found.withLock { $0.isOver = true }
        #expect(done.wait(for: "the threads", within: .seconds(90)))
        let end = found.withLock { $0 }
        print("replicas through failovers: \(end.reads) reads, \(pool.counts) by replicas, \(end.misses.count) misses")
        #expect(end.misses == [] && end.errors == [])
        #expect(pool.counts.answered > 0)
    }

    private static func run(_ thread: Int, _ heroes: Heroes, _ found: borrowing Mutex<Found>) {
        let (writer, reader) = (heroes.newContext(), heroes.newContext())
        reader.readsFromReplicas = true
        var number = 0
        while !found.withLock({ $0.isOver }) {
            let name = "\(thread)-\(number)"
            number += 1
            do {
                try Heroes.add(name, writer)
                let names = try Heroes.names(reader, "name == '\(name)'")
                found.withLock { found in
                    found.reads += 1
                    if names != [name] { found.misses.append(name) }
                }
            } catch {
                found.withLock { $0.errors.append("\(name): \((error as NSError).localizedDescription)") }
                writer.performAndWait { writer.reset() }
            }
            usleep(10_000)
        }
    }
}
