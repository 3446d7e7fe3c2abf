/// A statement of SQL in a few words: its operations with the tables that they are about, without columns and conditions.
///
/// Source: OpenTelemetry's semantic conventions for database client spans, "Generating a summary of the query". Texts of
/// the library's own and of the SQL console are met; for any other text it says what it finds, in linear time.
package struct QuerySummary: Equatable {
    /// `SELECT ZHERO ZTEAM`, say.
    package let text: String
    /// How many statements the text has.
    package let statementCount: Int

    /// Reads a text, or the beginning of one that is long.
    package init(_ sql: String) {
        var reader = Reader(sql)
        reader.read()
        text = reader.words.joined(separator: " ")
        statementCount = reader.statementCount
    }

    /// A summary is a name, by which others group.
    private static let longest = 255

    private struct Reader {
        private(set) var words: [String] = []
        private(set) var statementCount = 0
        private var tokens: SQLTokens
        /// What is so in the parentheses that are open, the innermost last.
        private var levels = [Level()]
        private var previous = ""
        private var isFirst = true
        /// Whether the last word is the name of a function rather than of a table if a parenthesis follows.
        private var mayBeFunction = false
        private var length = 0

        struct Level {
            /// Whether a statement that names tables after FROM has begun.
            var hasOperation = false
            /// Whether a comma leads to another table.
            var isListing = false
            /// Whether the next name is a table's.
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

        /// The first word of a statement is an operation, whichever it is.
        private mutating func begin(_ name: String, _ word: String) {
            add(name)
            guard ["CREATE", "DROP", "ALTER"].contains(word) else {
                // What follows FROM there is a cursor, or where rows come from.
                let hasOperation = !["FETCH", "MOVE", "COPY"].contains(word)
                let expectsTable = ["UPDATE", "COPY", "ANALYZE", "REINDEX"].contains(word)
                levels = [Level(hasOperation: hasOperation, expectsTable: expectsTable)]
                return
            }
            skipDefinition()
        }

        /// Takes the name that a definition defines, and skips its contents.
        private mutating func skipDefinition() {
            var hasKind = false
            while let token = tokens.next() {
                if token == .sign(UInt8(ascii: ";")) {
                    // What follows is another statement.
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

        /// Passes over the rest of a definition; the statements of a trigger are part of it.
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
                // ON CONFLICT DO UPDATE, FOR UPDATE, FOR NO KEY UPDATE, ON DELETE CASCADE.
                !["DO", "FOR", "KEY", "ON", "OR", "AFTER", "BEFORE", "OF"].contains(previous)
            default: false
            }
        }

        private func leadsToTable(_ word: String) -> Bool {
            switch word {
            // IS DISTINCT FROM compares; in a function's parentheses FROM leads to no table.
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

        /// What comes after a list of tables.
        private static let endings: Set<String> = [
            "WHERE", "GROUP", "ORDER", "HAVING", "LIMIT", "OFFSET", "UNION", "EXCEPT", "INTERSECT", "SET", "VALUES",
            "RETURNING", "WINDOW", "FETCH",
        ]
        /// What may stand before a name.
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
