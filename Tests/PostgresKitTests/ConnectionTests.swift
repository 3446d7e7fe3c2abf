import Foundation
import PostgresKit
import TestBasics
import TestServers
import Testing

@Suite("Connections to a server", .enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"))
struct ConnectionTests {
    static func connect() throws -> PostgresConnection {
        try PostgresConnection.open(parameters(), timeout: .seconds(20))
    }

    static func parameters() throws -> ConnectionParameters {
        let server = try PostgresServer.shared.get()
        return ConnectionParameters([("host", server.host), ("user", "coredata"), ("dbname", "postgres")])
    }

    @Test("values come back to the bit")
    func valuesComeBackToBit() throws {
        let connection = try Self.connect()
        let notANumber = Double(bitPattern: 0x7FF8_0000_0000_1234)
        let result = try connection.query(
            "SELECT $1::int8, $2::int8, $3::float8, $4::float8, $5::text, $6::bytea, $7::int8",
            [
                .integer(.min), .integer(.max), .real(notANumber), .real(-0.0), .text("é e\u{301} 🦊"),
                .bytes([0, 1, 255]), .null(oid: PostgresType.int8),
            ])
        #expect(result.int64(0, 0) == .min)
        #expect(result.int64(0, 1) == .max)
        #expect(result.double(0, 2)?.bitPattern == notANumber.bitPattern)
        #expect(result.double(0, 3)?.bitPattern == (-0.0).bitPattern)
        #expect(result.text(0, 4).map { Array($0.unicodeScalars) } == Array("é e\u{301} 🦊".unicodeScalars))
        #expect(Array(result.bytes(0, 5)) == [0, 1, 255])
        #expect(result.isNull(0, 6) && result.int64(0, 6) == nil)
    }

    @Test(
        "decimals come back with their digits",
        arguments: [
            "0", "1", "-1", "1.5", "0.00001234", "10000", "9999.9999", "12345678901234567890123456789012345678",
            "-0.12345678901234567890123456789012345678", "100000000", "0.10", "NaN",
        ])
    func decimalsComeBackWithTheirDigits(digits: String) throws {
        let connection = try Self.connect()
        let bytes = try PostgresNumeric.bytes(of: digits)
        let result = try connection.query(
            "SELECT $1::numeric, $1::numeric::text", [.raw(oid: PostgresType.numeric, bytes)])
        #expect(result.text(0, 1) == digits)
        #expect(result.decimalText(0, 0) == digits)
    }

    @Test("powers of ten are written out as the server does", arguments: ["1e127", "1.5E-120", "-12e3", "7e0"])
    func powersOfTenAreWrittenOutAsServer(digits: String) throws {
        let connection = try Self.connect()
        let bytes = try PostgresNumeric.bytes(of: digits)
        let result = try connection.query(
            "SELECT $1::numeric, $1::numeric = $2::text::numeric",
            [.raw(oid: PostgresType.numeric, bytes), .text(digits)])
        #expect(result.int64(0, 1) == 1)
        let asText = try connection.query("SELECT $1::numeric::text", [.raw(oid: PostgresType.numeric, bytes)])
        #expect(result.decimalText(0, 0) == asText.text(0, 0))
    }

    @Test("a statement behind one that failed in the same transaction fails with the reason of that one")
    func failedTransaction() throws {
        let connection = try Self.connect()
        _ = try connection.query("BEGIN")
        _ = try connection.query("SET LOCAL statement_timeout = 20")
        let first = #expect(throws: PostgresError.self) { try connection.query("SELECT pg_sleep(10)") }
        let second = #expect(throws: PostgresError.self) { try connection.query("SELECT 1") }
        #expect(first?.sqlState == "57014" && second?.sqlState == "57014", "\(second?.message ?? "")")
        _ = try connection.query("ROLLBACK")
        #expect(try connection.query("SELECT 1::int8").int64(0, 0) == 1)
    }

    @Test("a statement that fails says why, and those behind it are not run")
    func statementThatFailsSaysWhy() throws {
        let connection = try Self.connect()
        _ = try connection.query("CREATE TEMPORARY TABLE numbers (n int8 PRIMARY KEY)")
        do {
            _ = try connection.pipeline([
                PostgresStatement("INSERT INTO numbers VALUES (1)"),
                PostgresStatement("INSERT INTO numbers VALUES (1)"),
                PostgresStatement("INSERT INTO numbers VALUES (2)"),
            ])
            Issue.record("the second number is there twice")
        } catch {
            #expect(error.sqlState == "23505" && error.statementIndex == 1 && error.constraint == "numbers_pkey")
        }
        #expect(try connection.query("SELECT count(*) FROM numbers").int64(0, 0) == 0)
        #expect(connection.transactionStatus == .idle)
    }

    @Test("a pipeline is one round trip, and a text that comes again is prepared")
    func roundTrips() throws {
        let connection = try Self.connect()
        let before = connection.roundTrips
        _ = try connection.pipeline((0..<20).map { PostgresStatement("SELECT $1::int8", [.integer($0)]) })
        #expect(connection.roundTrips - before == 1)
        for number in 0..<600 { _ = try connection.query("SELECT \(number % 300)") }
        let prepared = try connection.query("SELECT count(*) FROM pg_prepared_statements").int64(0, 0) ?? 0
        #expect(prepared > 0 && prepared <= 260)
    }

    @Test("what takes too long is cancelled at its deadline, and the connection goes on")
    func whatTakesTooLongIsCancelledAtItsDeadline() throws {
        let connection = try Self.connect()
        connection.deadline = .now + .milliseconds(200)
        do {
            _ = try connection.query("SELECT pg_sleep(60)")
            Issue.record("it slept for a minute")
        } catch {
            #expect(error.kind == .timedOut)
        }
        connection.deadline = nil
        #expect(try connection.query("SELECT 1::int8").int64(0, 0) == 1)
    }

    @Test("another thread cancels a statement")
    func anotherThreadCancelsStatement() throws {
        let connection = try Self.connect()
        let canceller = connection.canceller
        let process = try connection.query("SELECT pg_backend_pid()").int64(0, 0) ?? 0
        nonisolated(unsafe) let watcher = try Self.connect()
        Thread.detachNewThread {
            eventually("the statement that sleeps") {
                let found = try? watcher.query(
                    "SELECT count(*) FROM pg_stat_activity "
                        + "WHERE pid = \(process) AND state = 'active' AND query LIKE '%sleep(60)%'")
                return found?.int64(0, 0) == 1
            }
            canceller.cancel()
        }
        do {
            _ = try connection.query("SELECT pg_sleep(60)")
            Issue.record("it slept for a minute")
        } catch {
            #expect(error.kind == .cancelled)
        }
        #expect(try connection.query("SELECT 1::int8").int64(0, 0) == 1)
    }

    @Test("a server that is killed breaks the connection with an error")
    func serverThatIsKilledBreaksConnectionWithError() throws {
        let server = try PostgresServer()
        let parameters = ConnectionParameters([("host", server.host), ("user", "coredata"), ("dbname", "postgres")])
        let connection = try PostgresConnection.open(parameters, timeout: .seconds(20))
        server.stop()
        do {
            _ = try connection.query("SELECT 1")
            Issue.record("there is no server")
        } catch {
            #expect(error.isConnectionLost)
        }
        #expect(throws: PostgresError.self) { try PostgresConnection.open(parameters, timeout: .seconds(5)) }
    }

    @Test("no password is in any text")
    func noPasswordIsInAnyText() throws {
        var parameters = try ConnectionParameters(
            url: "postgresql://coredata:se%63ret@localhost:1/postgres?connect_timeout=2")
        #expect(parameters["password"] == "secret")
        #expect(!"\(parameters)".contains("secret"))
        do {
            _ = try PostgresConnection.open(parameters, timeout: .seconds(5))
            Issue.record("nobody listens there")
        } catch {
            #expect(!"\(error)".contains("secret"))
        }
        parameters.set("password", "other")
        #expect(parameters["password"] == "other")
        do {
            _ = try ConnectionParameters(url: "postgresql://coredata:secret@[localhost/postgres")
            Issue.record("the URL is wrong")
        } catch {
            #expect(!"\(error)".contains("secret"))
        }
    }
}
