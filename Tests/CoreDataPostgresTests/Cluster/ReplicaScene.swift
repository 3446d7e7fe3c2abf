import CoreData
import Foundation
import PostgresKit
import StoreContract
import TestBasics
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres

/// A store whose server has a replica, and a context that reads from it.
struct ReplicaScene {
    /// A lag that no test reaches.
    static let anyLag = 3_600.0

    let pair: ReplicatedPair
    let heroes: Heroes
    let pool: ReplicaPool
    /// Reads from replicas.
    let reader: NSManagedObjectContext

    init(lag: Double = anyLag, options: [AnyHashable: Any] = [:], settings: [String: String] = [:]) throws {
        let pair = try ReplicatedPair(settings: settings)
        let lag = [CoreDataPostgreSQLReplicaMaximumLagOption: lag]
        try self.init(pair: pair, heroes: Heroes(1, options: options.merging(lag) { $1 }, url: pair.url))
    }

    init(pair: ReplicatedPair, heroes: Heroes) throws {
        self.pair = pair
        self.heroes = heroes
        pool = try #require((heroes.stack.store.objects as? PostgresStore)?.replicaPool)
        reader = heroes.newContext("reader")
        reader.readsFromReplicas = true
        try pair.catchUp()
    }

    /// Another program with the same store, which reads from no replica.
    func another() throws -> Stack {
        try Stack(
            HeroModel.make(), url: heroes.stack.url, kind: .postgreSQL,
            options: heroes.stack.options?.filter { $0.key as? String != CoreDataPostgreSQLReplicaMaximumLagOption })
    }

    /// The names that a fetch gave, and who answered it.
    struct Answer: Equatable {
        let names: [String]
        let isReplicas: Bool
    }

    /// Has a context fetch all names; the reader unless another one is given.
    func answer(to context: NSManagedObjectContext? = nil) throws -> Answer {
        let before = pool.counts.answered
        let names = try Heroes.names(context ?? reader)
        return Answer(names: names, isReplicas: pool.counts.answered > before)
    }

    /// What somebody who asks the replica itself finds.
    func bareCount() throws -> Int64? {
        try ReplicatedPair.ask(pair.replica, "SELECT count(*) FROM heroes.zhero").int64(0, 0)
    }

    /// Has the replica receive the log and show nothing of it.
    func pauseReplay() throws {
        try ReplicatedPair.ask(pair.replica, "SELECT pg_wal_replay_pause()")
        eventually("replay is paused") {
            (try? ReplicatedPair.ask(pair.replica, "SELECT pg_get_wal_replay_pause_state()").text(0, 0)) == "paused"
        }
    }

    func resumeReplay() throws {
        try ReplicatedPair.ask(pair.replica, "SELECT pg_wal_replay_resume()")
        try pair.catchUp()
    }
}
