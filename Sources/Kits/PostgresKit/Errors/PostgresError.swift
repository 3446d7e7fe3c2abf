import CPostgres

/// What went wrong, at what, and what helps. It holds no value that was sent, and no password.
package struct PostgresError: Error, Sendable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// The server cannot be reached, or the connection to it broke.
        case connection
        /// The server refused a statement.
        case server
        /// What came is not what the protocol or a type's form has.
        case protocolViolation
        case cancelled
        case timedOut
        /// The connection was closed before.
        case closed
        /// The call makes no sense as things are.
        case misuse
    }

    package let kind: Kind
    /// The server's code of five characters, where it gave one.
    package let sqlState: String?
    package let message: String
    package let hint: String?
    package let table: String?
    package let constraint: String?
    /// The number of Unicode scalars before the place in the statement that it is about.
    package let position: Int?
    /// What was attempted, as a phrase: `connect`, or the text of a statement.
    package let attempt: String
    /// Which of several statements failed; nil where there was but one.
    package internal(set) var statementIndex: Int?
    /// Whether it is the statement that failed with which the connection begins each transaction.
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

    /// The error that a result of the server's is.
    init(_ result: OpaquePointer, attempt: String, hasDeadlinePassed: Bool) {
        func field(_ code: UnicodeScalar) -> String? {
            PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
        }
        sqlState = field("C")
        kind =
            switch sqlState {
            // libpq itself: the connection ended, or what came is not what the protocol has.
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

    /// Whether the connection cannot be used any more, the server is about to end it, or it takes no writes any more.
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
