import CPostgres

/// One connection to a server. One thread at a time uses it; `canceller` may be used from any.
///
/// Whatever it waits for, it waits with the deadline that is set, and never within libpq.
package final class PostgresConnection {
    /// The least version that is used: 14.
    private static let leastVersion = 140_000

    let handle: OpaquePointer
    private(set) var isClosed = false
    /// The deadline for answers; nil for none.
    package var deadline: ContinuousClock.Instant?
    /// How long each run of statements may take, after which `deadline` is set again; nil to leave that as it is.
    package var statementTimeout: Duration?
    /// Distinguishes a slow server from a lost one; nil to wait for either.
    var silence: Silence?
    /// The error for which a connection was closed; nil for one that is open or was closed by its owner.
    package internal(set) var loss: PostgresError?
    /// How often something was sent whose answer was waited for.
    package internal(set) var roundTrips = 0
    /// How many rows the server has sent.
    package internal(set) var rowsReceived = 0
    /// What watches call that to which the connection leads.
    package var watchedName = ""
    /// The server that it is connected to.
    package let address: PostgresServerAddress
    /// Whether a statement that the server refuses since it takes no writes ends the connection: another server may take them.
    package var closesWhenReadOnly = false
    /// Whether texts that come again are prepared; off for poolers that give each transaction another connection.
    package var usesPreparedStatements = true
    /// The first statement of each transaction, in the round trip of the following ones; its result is not returned.
    ///
    /// If it fails, the error states it (`PostgresError.isOfOpening`), and no statement of the transaction was executed.
    package var opening: PostgresStatement?
    /// A statement that must succeed before each transaction begins, and before its state is taken, in the round trip of its first
    /// statements; its result is not returned.
    package var condition: PostgresStatement?
    /// Whether it was the condition that failed when a transaction was begun last, so that nothing of it has been done.
    package internal(set) var isConditionUnmet = false
    /// Why the server rejects further statements of the transaction: it reports for each only that an earlier one failed.
    private var transactionFailure: PostgresError?
    var prepared = PreparedStatements()
    package let canceller: PostgresCanceller

    /// The error by which a transaction failed, in place of one that says only that it has failed.
    func cause(of error: PostgresError) -> PostgresError {
        guard error.sqlState == "25P02" else {
            transactionFailure = error
            return error
        }
        return transactionFailure ?? error
    }

    private init(_ handle: OpaquePointer) {
        self.handle = handle
        let host = PQhost(handle).map { String(cString: $0) } ?? ""
        let port = PQport(handle).flatMap { Int(String(cString: $0)) } ?? 0
        address = PostgresServerAddress(host: host, port: host.hasPrefix("/") ? 0 : port)
        canceller = PostgresCanceller(handle)
    }

    deinit { close() }

    /// Connects to a server.
    ///
    /// - Throws: `PostgresError` where no server answers in time, none takes the user, or it is too old or has texts of another
    ///   encoding than UTF-8.
    package static func open(
        _ parameters: ConnectionParameters, timeout: Duration
    ) throws(PostgresError) -> PostgresConnection {
        guard let handle = start(parameters) else {
            throw PostgresError(.connection, "there is no memory", attempt: "connect")
        }
        let deadline = ContinuousClock.now + timeout
        do throws(PostgresError) {
            try complete(handle, deadline)
        } catch {
            PQfinish(handle)
            throw error
        }
        cpostgres_ignore_notices(handle)
        let connection = PostgresConnection(handle)
        try connection.requireUsable()
        return connection
    }

    private static func start(_ parameters: ConnectionParameters) -> OpaquePointer? {
        let pairs = parameters.pairs
        let words = pairs.map { strdup($0.keyword) } + [nil]
        let values = pairs.map { strdup($0.value) } + [nil]
        defer { for text in words + values { free(text) } }
        return words.map { UnsafePointer($0) }.withUnsafeBufferPointer { words in
            values.map { UnsafePointer($0) }.withUnsafeBufferPointer { values in
                PQconnectStartParams(words.baseAddress, values.baseAddress, 0)
            }
        }
    }

    private static func complete(
        _ handle: OpaquePointer, _ deadline: ContinuousClock.Instant
    ) throws(PostgresError) {
        var state = PGRES_POLLING_WRITING
        while PQstatus(handle) != CONNECTION_BAD, state != PGRES_POLLING_OK, state != PGRES_POLLING_FAILED {
            let events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT
            guard SocketWait.wait(PQsocket(handle), Int16(events), until: deadline) else {
                throw PostgresError(.timedOut, "the server did not answer in time", attempt: "connect")
            }
            state = PQconnectPoll(handle)
        }
        guard state == PGRES_POLLING_OK else { throw failure(handle, attempt: "connect") }
    }

    /// The error that libpq remembers of a connection. Its text names no password.
    static func failure(_ handle: OpaquePointer, attempt: String) -> PostgresError {
        let text = String(cString: PQerrorMessage(handle)).split(separator: "\n").joined(separator: " ")
        return PostgresError(
            .connection, text.isEmpty ? "the connection broke" : text, attempt: attempt, sqlState: state(in: text),
            hint: hint(in: text))
    }

    /// What helps where one of the two ends does not trust the other's certificate.
    private static func hint(in text: String) -> String? {
        guard text.contains("certificate") || text.contains("does not support SSL") else { return nil }
        return
            "Look at the server's certificate (its name, its dates, who signed it), and at sslmode, sslrootcert, sslcert and "
            + "sslkey of the URL."
    }

    /// libpq keeps no code of an error while connecting; the few that matter are known by the server's words.
    private static func state(in text: String) -> String? {
        if text.contains("password authentication failed") || text.contains("no password supplied") { return "28P01" }
        if text.contains("too many clients") || text.contains("remaining connection slots") { return "53300" }
        if text.contains("starting up") || text.contains("shutting down") { return "57P03" }
        if text.contains("database \"") && text.contains("does not exist") { return "3D000" }
        if text.contains("no pg_hba.conf entry") || text.contains("role \"") { return "28000" }
        return nil
    }

    private func requireUsable() throws(PostgresError) {
        guard serverVersion >= Self.leastVersion else {
            throw PostgresError(
                .server, "the server is version \(serverVersion / 10_000)", attempt: "connect",
                hint: "Use PostgreSQL 14 or newer.")
        }
        let encoding = PQparameterStatus(handle, "server_encoding").map { String(cString: $0) } ?? ""
        guard encoding == "UTF8" else {
            throw PostgresError(
                .server, "the database has texts in \(encoding)", attempt: "connect",
                hint: "Create a database with ENCODING 'UTF8'.")
        }
    }

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        canceller.end()
        PQfinish(handle)
    }

    /// The name of the database.
    package var databaseName: String { isClosed ? "" : PQdb(handle).map { String(cString: $0) } ?? "" }

    /// The server's version as a number: 150018 for 15.18.
    package var serverVersion: Int { isClosed ? 0 : Int(PQserverVersion(handle)) }

    /// Whether the server has reported that it does not accept writes: it is a replica, or read-only.
    package var takesNoWrites: Bool {
        guard !isClosed else { return false }
        let names = ["in_hot_standby", "default_transaction_read_only"]
        return names.contains { PQparameterStatus(handle, $0).map { String(cString: $0) } == "on" }
    }

    package enum TransactionStatus: Sendable {
        case idle
        case inTransaction
        /// In a transaction of which a statement failed: it can only be rolled back.
        case failed
        case unknown
    }

    package var transactionStatus: TransactionStatus {
        guard !isClosed else { return .unknown }
        return switch PQtransactionStatus(handle) {
        case PQTRANS_IDLE: .idle
        case PQTRANS_INTRANS: .inTransaction
        case PQTRANS_INERROR: .failed
        default: .unknown
        }
    }

    /// Whether the connection broke, as far as is known.
    package var isBroken: Bool { isClosed || PQstatus(handle) == CONNECTION_BAD }
}
