import CPostgres

/// An error of a connection, with the attempted operation and a hint. Contains no values that were sent, and no
/// password.
package struct PostgresError: Error, Sendable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// The server cannot be reached, or the connection is broken.
        case connection
        /// The server refused a statement.
        case server
        /// The server sent data that violates the protocol or the binary format of a type.
        case protocolViolation
        case cancelled
        case timedOut
        /// The connection had been closed before the call.
        case closed
        /// The call is invalid, or invalid in the present state.
        case misuse
    }

    package let kind: Kind
    /// The SQLSTATE of five characters, if the server sent one.
    package let sqlState: String?
    package let message: String
    package let hint: String?
    package let table: String?
    package let constraint: String?
    /// The number of Unicode scalars in the statement before the position of the error.
    package let position: Int?
    /// What was attempted, as a phrase: `connect`, or the text of a statement.
    package let attempt: String
    /// The index of the failed statement in the pipeline; nil for a single statement.
    package internal(set) var statementIndex: Int?
    /// Whether the failed statement is `PostgresConnection.opening`.
    package internal(set) var isOfOpening = false

    package init(_ kind: Kind, _ message: String, attempt: String, sqlState: String? = nil, hint: String? = nil) {
        self.kind = kind
        self.message = message
        self.attempt = attempt
        self.sqlState = sqlState
        self.hint = hint
        table = nil
        constraint = nil
        position = nil
    }

    /// The error in a result of the server.
    init(_ result: OpaquePointer, attempt: String, hasDeadlinePassed: Bool) {
        func field(_ code: UnicodeScalar) -> String? {
            PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
        }
        sqlState = field("C")
        kind =
            switch sqlState {
            // An error of libpq itself: the connection ended, or the server violated the protocol.
            case nil: .connection
            case "57014": hasDeadlinePassed ? .timedOut : .cancelled
            default: .server
            }
        message = field("M") ?? String(cString: PQresultErrorMessage(result))
        hint = field("H")
        table = field("t")
        constraint = field("n")
        position = field("P").flatMap { Int($0) }.map { max(0, $0 - 1) }
        self.attempt = attempt
    }

    /// Whether the connection is unusable, is about to be closed by the server, or no longer accepts writes.
    package var isConnectionLost: Bool {
        guard kind == .server else { return kind == .connection || kind == .closed }
        guard let sqlState else { return false }
        return sqlState.hasPrefix("08") || ["57P01", "57P02", "57P03", "57P05", "25006"].contains(sqlState)
    }

    /// Whether the server rolled the transaction back in favor of another, so that a retry may succeed.
    package var mayBeRetried: Bool { sqlState == "40001" || sqlState == "40P01" }

    package var description: String {
        let state = sqlState.map { " [\($0)]" } ?? ""
        return "cannot \(attempt): \(message)\(state)"
    }
}
