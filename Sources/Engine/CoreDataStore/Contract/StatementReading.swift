/// Executes SQL statements that a person enters on a store on a server; changes nothing. Confined to one thread.
///
/// Closes its connection when it is deallocated. Throws `StatementError` for errors in the statement itself, otherwise
/// the store's errors.
package protocol StatementReading: AnyObject {
    /// The tables of the store's schema, sorted by name, with their columns.
    func tables() throws -> [StatementTable]
    /// The parameters and columns of a statement, without executing it.
    func shape(of sql: String) throws -> StatementShape
    /// Executes a statement and passes its rows to `body`, one by one, until `body` returns false.
    ///
    /// - Parameters:
    ///   - values: the values of the parameters in the order of their numbers, as texts in the types of the parameters.
    ///   - limit: the greatest number of rows that the statement returns.
    ///   - sizes: how many bytes of a text and of a blob are read; a longer value is cut and reported with its full
    ///   size.
    ///   - time: the time after which the server cancels the statement with `StatementError.Code.timeout`.
    func read(
        _ sql: String, values: [String?], limit: Int, sizes: (text: Int, blob: Int), time: Duration,
        body: ([ReadCell]) -> Bool
    ) throws
    /// Cancels the running statement; may be called from any thread.
    var interruption: @Sendable () -> Void { get }
}

/// A table of the database that contains the store.
package struct StatementTable: Sendable {
    package let name: String
    package let columns: [(name: String, type: String)]

    package init(name: String, columns: [(name: String, type: String)]) {
        self.name = name
        self.columns = columns
    }
}

/// The parameters and result columns of a statement.
package struct StatementShape: Sendable {
    package struct Column: Sendable {
        package let name: String
        /// The table and column from which the statement reads the column; nil for a computed column.
        package let origin: (table: String, column: String)?

        package init(name: String, origin: (table: String, column: String)?) {
            self.name = name
            self.origin = origin
        }
    }

    package let parameterCount: Int
    package let columns: [Column]

    package init(parameterCount: Int, columns: [Column]) {
        self.parameterCount = parameterCount
        self.columns = columns
    }
}

/// A value of a result row; a long text or blob is cut, and has the number of bytes of the full value.
package enum ReadCell: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String, bytes: Int)
    case blob([UInt8], bytes: Int)
}

/// Why a statement was not executed, or not to its end.
package struct StatementError: Error, Sendable {
    package enum Code: Sendable {
        /// The server reports an error: it cannot parse the statement, or its execution fails.
        case bad
        /// The statement could do more than read.
        case refused
        /// Statements are not allowed here.
        case off
        /// The statement ran longer than its time limit.
        case timeout
    }

    package let code: Code
    package let reason: String
    package let hint: String?
    /// The number of bytes of the statement before the position of the error; nil if no position is known.
    package let offset: Int?

    package init(_ code: Code, _ reason: String, hint: String? = nil, at offset: Int? = nil) {
        self.code = code
        self.reason = reason
        self.hint = hint
        self.offset = offset
    }
}
