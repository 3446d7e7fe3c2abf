import CPostgres

/// One connection to a server. Used by one thread at a time; `canceller` may be used from any thread.
///
/// Every wait for the server ends at `deadline`; no call blocks within libpq.
package final class PostgresConnection {
    /// The oldest supported version of the server: 14.
    private static let leastVersion = 140_000

    let handle: OpaquePointer
    private(set) var isClosed = false
    /// The time at which waiting for the server ends; nil for no limit.
    package var deadline: ContinuousClock.Instant?
    /// The time allowed for each run of statements, from which `deadline` is set; nil leaves `deadline` unchanged.
    package var statementTimeout: Duration?
    /// Distinguishes a slow server from a broken connection; nil to wait for both alike.
    var silence: Silence?
    /// The error because of which the connection was closed; nil if it is open, or if its owner closed it.
    package internal(set) var loss: PostgresError?
    /// The number of times that something was sent and the answer awaited.
    package internal(set) var roundTrips = 0
    /// The number of rows that the server has sent.
    package internal(set) var rowsReceived = 0
    /// The name of the connection's store in reports to the watch.
    package var watchedName = ""
    /// The address of the server.
    package let address: PostgresServerAddress
    /// Whether error 25006 (the server is read-only) closes the connection, since another server may accept writes.
    package var closesWhenReadOnly = false
    /// Whether statements that are used repeatedly are prepared; false for poolers that change the server connection.
    package var usesPreparedStatements = true
    /// The first statement of each transaction, sent together with the following ones; its result is not returned.
    ///
    /// If it fails, the error's `isOfOpening` is true, and no other statement of the transaction was executed.
    package var opening: PostgresStatement?
    /// A statement that must succeed before each transaction begins and takes its snapshot; sent together with the
    /// first statements of the transaction. Its result is not returned.
    package var condition: PostgresStatement?
    /// Whether the last transaction failed to begin because of the condition, so that none of its statements was
    /// executed.
    package internal(set) var isConditionUnmet = false
    /// The first error of the failed transaction; for later statements the server only reports that the transaction
    /// failed.
    private var transactionFailure: PostgresError?
    var prepared = PreparedStatements()
    package let canceller: PostgresCanceller

    /// The error because of which a transaction failed, in place of one that only reports that the transaction has
    /// failed.
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
    /// - Throws: `PostgresError` if the server does not answer in time, refuses the user, or is too old, or if the
    ///   database's encoding is not UTF-8.
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

    /// The last error that libpq recorded for a connection; its text contains no password.
    static func failure(_ handle: OpaquePointer, attempt: String) -> PostgresError {
        let text = String(cString: PQerrorMessage(handle)).split(separator: "\n").joined(separator: " ")
        return PostgresError(
            .connection, text.isEmpty ? "the connection broke" : text, attempt: attempt, sqlState: state(in: text),
            hint: hint(in: text))
    }

    /// A hint for errors caused by certificates that one side does not trust.
    private static func hint(in text: String) -> String? {
        guard text.contains("certificate") || text.contains("does not support SSL") else { return nil }
        return
            "Look at the server's certificate (its name, its dates, who signed it), and at sslmode, sslrootcert, sslcert and "
            + "sslkey of the URL."
    }

    /// libpq has no SQLSTATE for errors while connecting; the relevant ones are recognized by the server's messages.
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

    /// Whether the server has reported that it is a standby or that transactions are read-only by default.
    package var takesNoWrites: Bool {
        guard !isClosed else { return false }
        let names = ["in_hot_standby", "default_transaction_read_only"]
        return names.contains { PQparameterStatus(handle, $0).map { String(cString: $0) } == "on" }
    }

    package enum TransactionStatus: Sendable {
        case idle
        case inTransaction
        /// In a failed transaction, which can only be rolled back.
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

    /// Whether the connection is closed, or known to be broken.
    package var isBroken: Bool { isClosed || PQstatus(handle) == CONNECTION_BAD }
}
