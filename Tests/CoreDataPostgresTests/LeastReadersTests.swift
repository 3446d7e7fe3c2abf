import CoreData
import CoreDataPostgres
import CoreDataSQL
import Foundation
import PostgresKit
import StoreContract
import TestBasics
import TestServers
import Testing

@testable import CoreDataPostgres

/// Connections of readers that stay open though nobody needs them.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(5)))
struct LeastReadersTests {
    /// A store whose connections the server tells from all others.
    private struct Scene {
        let heroes: Heroes
        private let name: String
        private let watcher: PostgresConnection

        init(_ options: [AnyHashable: Any], through host: String? = nil) throws {
            let server = try PostgresServer.shared.get()
            let schema =
                URLComponents(url: server.makeURL("least"), resolvingAgainstBaseURL: false)?
                .queryItems?.first { $0.name == "schema" }?.value ?? ""
            name = "least readers of \(schema)"
            watcher = try PostgresConnection.open(
                ConnectionParameters([("host", server.host), ("user", "coredata"), ("dbname", "postgres")]),
                timeout: .seconds(20))
            var parts = URLComponents()
            (parts.scheme, parts.user, parts.host, parts.path) = ("postgresql", "coredata", "", "/postgres")
            parts.queryItems = [("host", host ?? server.host), ("schema", schema), ("application_name", name)].map {
                URLQueryItem(name: $0.0, value: $0.1)
            }
            let url: URL = try #require(parts.url)
            heroes = try Heroes(3, options: options, url: url)
        }

        /// The processes that serve the store, but for the one through which it writes.
        func readers() throws -> Set<Int64> {
            let store = try #require(heroes.stack.store.objects as? PostgresStore)
            let own = try store.session.query("SELECT pg_backend_pid()").int64(0, 0)
            let result = try watcher.query(
                "SELECT pid::int8 FROM pg_stat_activity WHERE application_name = $1::text", [.text(name)])
            return Set((0..<result.rowCount).compactMap { result.int64($0, 0) }).filter { $0 != own }
        }

        func end(_ process: Int64) throws { _ = try watcher.query("SELECT pg_terminate_backend(\(process)::int4)") }
    }

    @Test("the least number of readers' connections is there before anybody reads, and no more (HAZ-61)")
    func openedAhead() throws {
        let scene = try Scene([CoreDataPostgreSQLMinimumReaderCountOption: 2])
        eventually("two connections of readers") { (try? scene.readers().count) == 2 }
        let before = try scene.readers()
        #expect(try Heroes.names(scene.heroes.newContext()) == ["0", "1", "2"])
        #expect(try scene.readers() == before)
        // Without the option none is there ahead of time.
        let other = try Scene([:])
        #expect(try other.readers().isEmpty)
        // More than there may be are not.
        let most = try Scene([
            CoreDataPostgreSQLMinimumReaderCountOption: 9, NSPersistentStoreConnectionPoolMaxSizeKey: 3,
        ])
        eventually("three connections of readers") { (try? most.readers().count) == 3 }
    }

    @Test("connections that are idle are closed down to the least number, which stays (HAZ-61)")
    func idleConnectionsAreClosedDownToLeastNumber() throws {
        let scene = try Scene([
            CoreDataPostgreSQLMinimumReaderCountOption: 1, CoreDataPostgreSQLReaderIdleTimeOption: 0.3,
        ])
        let pool = try #require((scene.heroes.stack.store.objects as? PostgresStore)?.pool)
        let checkouts = (0..<3).map { _ in pool.checkOut(for: ReaderUse(.stream), waiting: .zero) }
        let readers = checkouts.compactMap { if case .reader(let reader) = $0 { reader } else { nil } }
        #expect(readers.count == 3)
        let all = try scene.readers()
        for reader in readers { reader.release() }
        eventually("the superfluous connections are closed") { (try? scene.readers().count) == 1 }
        let left = try scene.readers()
        #expect(left.isSubset(of: all), "none was closed for another one to be made")
        // As long as several times the idle time has it stay.
        for _ in 0..<3 {
            Thread.sleep(forTimeInterval: 0.3)
            #expect(try scene.readers() == left)
        }
    }

    @Test("a connection past its lifetime is replaced by another one, without a read (HAZ-61)")
    func connectionWhoseTimeIsOverIsReplaced() throws {
        let scene = try Scene([
            CoreDataPostgreSQLMinimumReaderCountOption: 2, CoreDataPostgreSQLReaderLifetimeOption: 0.5,
        ])
        eventually("two connections of readers") { (try? scene.readers().count) == 2 }
        let first = try scene.readers()
        eventually("others in their place") {
            guard let readers = try? scene.readers() else { return false }
            return readers.count == 2 && readers.isDisjoint(with: first)
        }
        #expect(try Heroes.names(scene.heroes.newContext()) == ["0", "1", "2"])
    }

    @Test("a connection that the server has ended is replaced when it is used, and no reader notices (HAZ-61)")
    func connectionThatServerHasEndedIsReplacedWhenItIsUsed() throws {
        let scene = try Scene([CoreDataPostgreSQLMinimumReaderCountOption: 2])
        eventually("two connections of readers") { (try? scene.readers().count) == 2 }
        for process in try scene.readers() { try scene.end(process) }
        eventually("no connection of a reader") { (try? scene.readers().isEmpty) == true }
        for _ in 0..<3 { #expect(try Heroes.names(scene.heroes.newContext()) == ["0", "1", "2"]) }
    }

    @Test("a server that cannot be reached when readers are made ahead has them later (HAZ-61)")
    func serverThatCannotBeReachedWhenReadersAreMadeAheadHasThem() throws {
        let proxy = try FaultProxy(to: try PostgresServer.shared.get())
        defer { proxy.stop() }
        let scene = try Scene(
            [CoreDataPostgreSQLMinimumReaderCountOption: 2, CoreDataPostgreSQLReaderLifetimeOption: 0.5],
            through: proxy.host)
        eventually("two connections of readers") { (try? scene.readers().count) == 2 }
        proxy.isRefusing = true
        eventually("the old connections are closed") { (try? scene.readers().isEmpty) == true }
        proxy.isRefusing = false
        eventually("two connections again") { (try? scene.readers().count) == 2 }
    }

    @Test("a closed store leaves no connection, also where some are being made (HAZ-61)")
    func closedStoreLeavesNoConnection() throws {
        let scene = try Scene([CoreDataPostgreSQLMinimumReaderCountOption: 4])
        let stack = scene.heroes.stack
        let name = try #require(
            URLComponents(url: stack.url, resolvingAgainstBaseURL: false)?.queryItems?.last?.value)
        try stack.coordinator.remove(stack.store)
        let server = try PostgresServer.shared.get()
        let watcher = try PostgresConnection.open(
            ConnectionParameters([("host", server.host), ("user", "coredata"), ("dbname", "postgres")]),
            timeout: .seconds(20))
        eventually("no connection of the store") {
            (try? watcher.query(
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1::text", [.text(name)]
            ).int64(0, 0)) == 0
        }
    }
}
