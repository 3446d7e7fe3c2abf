import CoreData
import CoreDataPostgres
import Foundation
import PostgresKit
import TestBasics
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres

/// Connections on which nothing comes: a server that needs long is waited for, and one that has gone is not.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(5)))
struct LivenessTests {
    private static func parameters(_ host: String) -> ConnectionParameters {
        ConnectionParameters([("host", host), ("user", "coredata"), ("dbname", "postgres")])
    }

    private static func connect(_ host: String) throws -> PostgresConnection {
        let connection = try PostgresConnection.open(parameters(host), timeout: .seconds(20))
        try connection.checkLiveness(
            after: .milliseconds(400), of: parameters(host), timeout: .seconds(5), identifies: true)
        return connection
    }

    @Test("a statement that takes longer than the silence that is borne is waited for, as is one that waits for a lock")
    func statementThatTakesLongerThanSilenceThatIsBorneIsWaited() throws {
        let server = try PostgresServer.shared.get()
        let connection = try Self.connect(server.host)
        #expect(try connection.query("SELECT pg_sleep(0.7)::text, 5::int8").int64(0, 1) == 5)
        nonisolated(unsafe) let other = try Self.connect(server.host)
        _ = try other.pipeline([PostgresStatement("BEGIN"), PostgresStatement("SELECT pg_advisory_xact_lock(77)")])
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.7)
            _ = try? other.query("COMMIT")
        }
        _ = try connection.query("SELECT pg_advisory_xact_lock(77)")
        #expect(!connection.isBroken)
    }

    @Test(
        "a request or an answer that is lost in a network that says nothing is found out about, and its process ended",
        arguments: [WireFault.stallBeforeRequest, .stallBeforeAnswer])
    func requestOrAnswerThatIsLostInNetworkThatSaysNothingIsFound(fault: WireFault) throws {
        let server = try PostgresServer.shared.get()
        let proxy = try FaultProxy(to: server)
        defer { proxy.stop() }
        let connection = try Self.connect(proxy.host)
        let process = try connection.query("SELECT pg_backend_pid()").int64(0, 0) ?? 0
        _ = try connection.query("BEGIN")
        proxy.arm(fault, at: 1)
        let error = #expect(throws: PostgresError.self) { try connection.query("SELECT 1") }
        #expect(error?.isConnectionLost == true)
        #expect(connection.isBroken)
        let direct = try PostgresConnection.open(Self.parameters(server.host), timeout: .seconds(20))
        eventually("the end of the process whose client had gone") {
            let left = try? direct.query("SELECT count(*) FROM pg_stat_activity WHERE pid = \(process)").int64(0, 0)
            return left == 0
        }
    }

    @Test("an unreachable server counts as a broken connection")
    func unreachableServerBreaksConnection() throws {
        let proxy = try FaultProxy(to: try PostgresServer.shared.get())
        defer { proxy.stop() }
        let connection = try Self.connect(proxy.host)
        proxy.isRefusing = true
        proxy.arm(.stallBeforeRequest, at: 1)
        let error = #expect(throws: PostgresError.self) { try connection.query("SELECT 1") }
        #expect(error?.isConnectionLost == true)
    }

    @Test("cancelling and closing over a silent network end in time")
    func cancellingOverSilentNetworkEnds() throws {
        let proxy = try FaultProxy(to: try PostgresServer.shared.get())
        defer { proxy.stop() }
        let connection = try PostgresConnection.open(Self.parameters(proxy.host), timeout: .seconds(20))
        proxy.armAll(.stallBeforeRequest)
        connection.deadline = .now + .milliseconds(100)
        let error = #expect(throws: PostgresError.self) { try connection.query("SELECT 1") }
        #expect(error?.kind == .timedOut)
        connection.close()
    }

    @Test("a save whose answer is swallowed is found out about without a deadline being asked for")
    func saveWhoseAnswerIsSwallowedIsFoundOutAboutWithoutDeadline() throws {
        let server = try PostgresServer.shared.get()
        let proxy = try FaultProxy(to: server)
        defer { proxy.stop() }
        let heroes = try Heroes(1, options: FaultScript.options, url: proxy.url(schema: "silent_save"))
        let context = heroes.newContext()
        try Heroes.add("a", context)
        for trip in 1...2 {
            for fault in [WireFault.stallBeforeRequest, .stallBeforeAnswer] {
                proxy.arm(fault, at: trip)
                try Heroes.add("\(fault) \(trip)", context)
                proxy.disarm()
            }
        }
        #expect(try Heroes.names(heroes.newContext()).count == 6)
    }
}
