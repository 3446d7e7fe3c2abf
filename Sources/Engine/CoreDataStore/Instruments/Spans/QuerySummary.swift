/// A summary of an SQL text: its operations with their tables, without columns and conditions.
///
/// Source: OpenTelemetry's semantic conventions for database client spans, "Generating a summary of the query". The
/// summary is exact for the statements of the library and of the SQL console; for other texts it contains the
/// operations and tables that the reader recognizes. Takes linear time.
package struct QuerySummary: Equatable {
    /// The summary, such as `SELECT ZHERO ZTEAM`.
    package let text: String
    /// The number of statements in the text.
    package let statementCount: Int

    /// Summarizes a text; of a long text only the beginning is read.
    package init(_ sql: String) {
        var reader = Reader(sql)
        reader.read()
        text = reader.words.joined(separator: " ")
        statementCount = reader.statementCount
    }

    /// The greatest length of a summary, which serves as a name for grouping.
    private static let longest = 255

    private struct Reader {
        private(set) var words: [String] = []
        private(set) var statementCount = 0
        private var tokens: SQLTokens
        /// The state within each open parenthesis, the innermost last; the first element is outside of all parentheses.
        private var levels = [Level()]
        private var previous = ""
        private var isFirst = true
        /// Whether the last word is a function's name, not a table's, if a parenthesis follows it.
        private var mayBeFunction = false
        private var length = 0

        struct Level {
            /// Whether FROM, JOIN and INTO are followed by a table: an operation has begun at this level.
            var hasOperation = false
            /// Whether a comma is followed by another table.
            var isListing = false
            /// Whether the next name is that of a table.
            var expectsTable = false
        }

        init(_ sql: String) { tokens = SQLTokens(sql) }

        mutating func read() {
            while let token = tokens.next() {
                switch token {
                case .name(let name, let isQuoted): take(name, isQuoted)
                case .sign(UInt8(ascii: "(")):
                    if mayBeFunction { words.removeLast() }
                    mayBeFunction = false
                    levels[levels.count - 1].expectsTable = false
                    levels.append(Level())
                    previous = "("
                case .sign(UInt8(ascii: ")")):
                    if levels.count > 1 { levels.removeLast() }
                    previous = ")"
                case .sign(UInt8(ascii: ",")):
                    mayBeFunction = false
                    if levels[levels.count - 1].isListing { levels[levels.count - 1].expectsTable = true }
                    previous = ","
                case .sign(UInt8(ascii: ";")):
                    levels = [Level()]
                    isFirst = true
                    previous = ""
                case .sign, .literal:
                    levels[levels.count - 1].expectsTable = false
                    previous = ""
                }
            }
        }

        private mutating func take(_ name: String, _ isQuoted: Bool) {
            let word = isQuoted ? "" : name.uppercased()
            let beginsStatement = isFirst
            isFirst = false
            mayBeFunction = false
            defer { previous = word }
            if beginsStatement {
                statementCount += 1
                if word != "WITH" { return begin(name, word) }
            }
            if isOperation(word) {
                add(name)
                levels[levels.count - 1] = Level(hasOperation: true, expectsTable: word == "UPDATE")
            } else if !isQuoted, leadsToTable(word) {
                levels[levels.count - 1].expectsTable = true
                if word == "FROM" { levels[levels.count - 1].isListing = true }
            } else if !isQuoted, Self.endings.contains(word) {
                levels[levels.count - 1].isListing = false
                levels[levels.count - 1].expectsTable = false
            } else if levels[levels.count - 1].expectsTable, !Self.fillers.contains(word) {
                add(name)
                levels[levels.count - 1].expectsTable = false
                mayBeFunction = levels[levels.count - 1].isListing && length < QuerySummary.longest
            }
        }

        /// Adds the first word of a statement as its operation, whatever word it is.
        private mutating func begin(_ name: String, _ word: String) {
            add(name)
            guard ["CREATE", "DROP", "ALTER"].contains(word) else {
                // In FETCH and MOVE, FROM is followed by a cursor, in COPY by the origin of the rows: neither is a
                // table.
                let hasOperation = !["FETCH", "MOVE", "COPY"].contains(word)
                let expectsTable = ["UPDATE", "COPY", "ANALYZE", "REINDEX"].contains(word)
                levels = [Level(hasOperation: hasOperation, expectsTable: expectsTable)]
                return
            }
            skipDefinition()
        }

        /// Adds the kind and name of the object that CREATE, DROP or ALTER names, and skips the rest of the statement.
        private mutating func skipDefinition() {
            var hasKind = false
            while let token = tokens.next() {
                if token == .sign(UInt8(ascii: ";")) {
                    // The next name begins another statement.
                    isFirst = true
                    return
                }
                guard case .name(let name, let isQuoted) = token else { continue }
                let word = isQuoted ? "" : name.uppercased()
                if !hasKind, Self.kinds.contains(word) {
                    add(name)
                    hasKind = true
                } else if hasKind, !Self.fillers.contains(word) {
                    add(name)
                    return skipStatement()
                }
            }
        }

        /// Skips the rest of a definition, including the statements in the body of a trigger.
        private mutating func skipStatement() {
            var isInBody = false
            while let token = tokens.next() {
                if case .name(let name, false) = token {
                    if name.uppercased() == "BEGIN" { isInBody = true }
                    if name.uppercased() == "END" { isInBody = false }
                }
                if token == .sign(UInt8(ascii: ";")), !isInBody {
                    isFirst = true
                    return
                }
            }
        }

        private func isOperation(_ word: String) -> Bool {
            switch word {
            case "SELECT": true
            case "INSERT", "UPDATE", "DELETE":
                // No operations: ON CONFLICT DO UPDATE, FOR UPDATE, FOR NO KEY UPDATE, ON DELETE CASCADE.
                !["DO", "FOR", "KEY", "ON", "OR", "AFTER", "BEFORE", "OF"].contains(previous)
            default: false
            }
        }

        private func leadsToTable(_ word: String) -> Bool {
            switch word {
            // IS DISTINCT FROM is a comparison. In a function's parentheses, as in EXTRACT, FROM is followed by no
            // table.
            case "FROM": levels[levels.count - 1].hasOperation && previous != "DISTINCT"
            case "JOIN", "INTO": levels[levels.count - 1].hasOperation
            case "TABLE": previous == "TRUNCATE" || previous == "LOCK"
            default: false
            }
        }

        private mutating func add(_ word: String) {
            guard length + word.utf8.count < QuerySummary.longest else {
                length = QuerySummary.longest
                return
            }
            length += word.utf8.count + 1
            words.append(word)
        }

        /// Words that end a list of tables.
        private static let endings: Set<String> = [
            "WHERE", "GROUP", "ORDER", "HAVING", "LIMIT", "OFFSET", "UNION", "EXCEPT", "INTERSECT", "SET", "VALUES",
            "RETURNING", "WINDOW", "FETCH",
        ]
        /// Words that may precede a table's name.
        private static let fillers: Set<String> = [
            "IF", "NOT", "EXISTS", "ONLY", "LATERAL", "OR", "REPLACE", "IGNORE", "ABORT", "FAIL", "ROLLBACK",
            "CONCURRENTLY",
        ]
        private static let kinds: Set<String> = [
            "TABLE", "INDEX", "TRIGGER", "VIEW", "SCHEMA", "FUNCTION", "SEQUENCE", "TYPE", "EXTENSION", "COLLATION",
            "ROLE", "DATABASE",
        ]
    }
}
