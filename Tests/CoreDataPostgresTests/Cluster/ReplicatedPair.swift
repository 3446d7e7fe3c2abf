import Foundation
import PostgresKit
import TestBasics
import TestServers
import Testing

/// A server and a replica that follows it without the server's waiting.
struct ReplicatedPair {
    let primary: PostgresServer
    let replica: PostgresServer

    init(settings: [String: String] = [:]) throws {
        primary = try PostgresServer()
        replica = try PostgresServer(replicaOf: primary, settings: settings)
    }

    /// The URL of a store, with the replica named first.
    var url: URL { PostgresServer.url(schema: "heroes", on: [replica, primary]) }

    /// Asks a server something.
    @discardableResult
    static func ask(_ server: PostgresServer, _ sql: String) throws -> PostgresResult {
        let parameters = ConnectionParameters([("host", server.host), ("user", "coredata"), ("dbname", "postgres")])
        let connection = try PostgresConnection.open(parameters, timeout: .seconds(20))
        defer { connection.close() }
        return try connection.query(sql)
    }

    /// Waits until the replica has everything that the server has.
    func catchUp() throws { try catchUp(from: primary, to: replica) }

    /// Waits until another replica has everything that a server has.
    func catchUp(from primary: PostgresServer, to replica: PostgresServer) throws {
        let position = try Self.ask(primary, "SELECT pg_current_wal_insert_lsn()::text").text(0, 0) ?? ""
        let question = "SELECT pg_last_wal_replay_lsn() >= '\(position)'"
        eventually("the replica has caught up") { (try? Self.ask(replica, question).int64(0, 0)) == 1 }
    }

    /// Has the replica receive nothing any more.
    func cut() throws {
        try Self.ask(replica, "ALTER SYSTEM SET primary_conninfo = ''")
        try Self.ask(replica, "SELECT pg_reload_conf()")
        eventually("the replica is cut off") {
            (try? Self.ask(replica, "SELECT count(*) FROM pg_stat_wal_receiver").int64(0, 0)) == 0
        }
    }

    /// Stops the server, after a while has the replica take its place.
    func failOver(after pause: TimeInterval = 0) throws {
        primary.stop()
        Thread.sleep(forTimeInterval: pause)
        try Self.ask(replica, "SELECT pg_promote(false)")
    }
}
