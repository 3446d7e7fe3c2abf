/// Asks a store on a server by statements of SQL that a person writes, and changes nothing. For one thread.
///
/// What it opens is closed when it is deallocated. Errors are `StatementError` for the statement's own, else what the store has
/// to say.
package protocol StatementReading: AnyObject {
    /// The store's tables with their columns, by their names.
    func tables() throws -> [StatementTable]
    /// What a statement takes and gives; it is not carried out.
    func shape(of sql: String) throws -> StatementShape
    /// Executes a statement and passes its rows to a body until that returns false.
    ///
    /// - Parameters:
    ///   - values: those of the parameters in the order of their numbers, as texts of the types that the statement has for them.
    ///   - limit: the greatest number of rows that are made.
    ///   - sizes: how many bytes of a text and of a blob are read; of the rest only the size is reported.
    ///   - time: after which the server ends it with `StatementError.Code.timeout`.
    func read(
        _ sql: String, values: [String?], limit: Int, sizes: (text: Int, blob: Int), time: Duration,
        body: ([ReadCell]) -> Bool
    ) throws
    /// Ends a statement that is being carried out, from any thread.
    var interruption: @Sendable () -> Void { get }
}

/// A table of a store.
package struct StatementTable: Sendable {
    package let name: String
    package let columns: [(name: String, type: String)]

    package init(name: String, columns: [(name: String, type: String)]) {
        self.name = name
        self.columns = columns
    }
}

/// What a statement takes and gives.
package struct StatementShape: Sendable {
    package struct Column: Sendable {
        package let name: String
        /// The table and the column that it is read from, where it is not calculated.
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

/// A cell of a row; of long texts and blobs the beginning, with the total number of bytes.
package enum ReadCell: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String, bytes: Int)
    case blob([UInt8], bytes: Int)
}

/// Why a statement is not carried out.
package struct StatementError: Error, Sendable {
    package enum Code: Sendable {
        /// The server does not understand it, or stops at something in it.
        case bad
        /// It would do more than read.
        case refused
        /// Statements are not allowed here.
        case off
        /// It took too long.
        case timeout
    }

    package let code: Code
    package let reason: String
    package let hint: String?
    /// The number of bytes before the place in the statement that it is about.
    package let offset: Int?

    package init(_ code: Code, _ reason: String, hint: String? = nil, at offset: Int? = nil) {
        self.code = code
        self.reason = reason
        self.hint = hint
        self.offset = offset
    }
}
