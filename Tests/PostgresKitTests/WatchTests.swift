import PostgresKit
import Synchronization
import TestServers
import Testing

@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server")) struct WatchTests {
    @Test("a watch learns the server, the rows and the code of an error, and no value")
    func roundTrips() throws {
        let connection = try ConnectionTests.connect()
        connection.watchedName = "WatchTests"
        let all = Mutex<[PostgresExecution]>([])
        PostgresWatch.current = { execution in
            if execution.store == "WatchTests" { all.withLock { $0.append(execution) } }
        }
        defer { PostgresWatch.current = nil }
        _ = try connection.query("SELECT 1")
        #expect(throws: PostgresError.self) { try connection.query("SELECT 4711 / $1::int8", [.integer(0)]) }
        #expect(throws: PostgresError.self) { try connection.query("SELECT nothing") }
        connection.close()
        #expect(throws: PostgresError.self) { try connection.query("SELECT 2") }
        let seen = all.withLock { $0 }
        #expect(seen.map(\.failure) == [nil, "22012", "42703", "closed"] && seen.map(\.rows) == [1, 0, 0, 0])
        let host = try PostgresServer.shared.get().host
        #expect(host.hasPrefix("/") && seen.allSatisfy { $0.server.host == host && $0.server.port == 0 })
        #expect(seen.map(\.statements).prefix(2) == [["SELECT 1"], ["SELECT 4711 / $1::int8"]])
    }
}
