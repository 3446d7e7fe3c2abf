import Dispatch
import Foundation
import PostgresKit
import TestBasics
import TestServers
import Testing

/// What must hold before a connection begins a transaction.
@Suite("Conditions of transactions", .enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"))
struct ConditionTests {
    /// What a thread has found, read when it has ended.
    private final class Found: @unchecked Sendable {
        var count: Int64?
    }

    @Test("where it does not hold nothing is run, and it takes no round trip of its own")
    func whereItDoesNotHoldNothingIsRun() throws {
        let connection = try ConnectionTests.connect()
        _ = try connection.query("CREATE TEMPORARY TABLE conditions (n bigint)")
        connection.opening = PostgresStatement("SELECT n FROM conditions WHERE false")
        for statements in [
            ["INSERT INTO conditions VALUES (1)"], ["BEGIN", "INSERT INTO conditions VALUES (1)", "COMMIT"],
        ] {
            connection.condition = PostgresStatement("SELECT 1 / $1::int8", [.integer(0)])
            #expect(throws: PostgresError.self) { try connection.pipeline(statements.map { PostgresStatement($0) }) }
            #expect(connection.isConditionUnmet)
            connection.condition = nil
            if connection.transactionStatus == .failed { _ = try connection.query("ROLLBACK") }
            #expect(try connection.query("SELECT count(*) FROM conditions").int64(0, 0) == 0)
        }
        connection.condition = PostgresStatement("SELECT 1 / $1::int8", [.integer(1)])
        let trips = connection.roundTrips
        let results = try connection.pipeline(
            ["BEGIN", "INSERT INTO conditions VALUES (7)", "SELECT n FROM conditions", "COMMIT"].map {
                PostgresStatement($0)
            })
        #expect(results.count == 4 && results[2].int64(0, 0) == 7)
        #expect(connection.roundTrips == trips + 1 && !connection.isConditionUnmet)
        let error = #expect(throws: PostgresError.self) {
            try connection.pipeline(["SELECT 1", "SELECT missing"].map { PostgresStatement($0) })
        }
        #expect(error?.statementIndex == 1 && !connection.isConditionUnmet)
    }

    @Test("a state that a transaction keeps is taken after the condition was found to hold")
    func stateThatTransactionKeepsIsTakenAfterConditionWasFound() throws {
        let writer = try ConnectionTests.connect()
        _ = try writer.query("CREATE TABLE public.condition_state (n bigint)")
        _ = try writer.pipeline(
            [
                "BEGIN", "SELECT pg_advisory_xact_lock(20)", "INSERT INTO public.condition_state VALUES (1)",
            ].map { PostgresStatement($0) })
        let found = Found()
        let isDone = DispatchGroup()
        isDone.enter()
        Thread.detachNewThread {
            defer { isDone.leave() }
            guard let reader = try? ConnectionTests.connect() else { return }
            // It holds once the writer has committed.
            reader.condition = PostgresStatement("SELECT pg_advisory_xact_lock(20)")
            reader.opening = PostgresStatement("SELECT n FROM public.condition_state WHERE false")
            let results = try? reader.pipeline([
                PostgresStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
                PostgresStatement("SELECT count(*) FROM public.condition_state"),
            ])
            found.count = results?.last?.int64(0, 0)
        }
        let asker = try ConnectionTests.connect()
        eventually("the condition is being looked at") {
            (try? asker.query("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted").int64(0, 0))
                == 1
        }
        _ = try writer.query("COMMIT")
        #expect(isDone.wait(for: "the reader"))
        #expect(found.count == 1)
        _ = try writer.query("DROP TABLE public.condition_state")
    }
}
