/// Rewrites a query of this library so that SQLite calls a function for every row that it visits.
///
/// The call is the first condition of its SELECT, is declared to be always true, and uses only the row's identifier, so
/// SQLite calls it as soon as it finds the row, before it evaluates other conditions. The rewriting must not change the
/// plan; the caller has to compare the plans.
struct VisitCounting {
    static let functionName = "NSCoreDataVisited"

    struct Source: Equatable {
        let table: String
        let alias: String
    }

    /// The rewritten query; the first argument of each call is the index of its table in `sources`.
    private(set) var sql: String
    private(set) var sources: [Source] = []

    /// A SELECT whose tables and condition are being collected.
    private struct Scope {
        let depth: Int
        var sources: [Int] = []
        var conditionStart: Int?
    }

    private var insertions: [(place: Int, text: String)] = []

    init(_ original: String) {
        sql = original
        let tokens = SQLToken.all(in: original)
        var scopes: [Scope] = []
        var depth = 0
        for (index, token) in tokens.enumerated() {
            let isOfScope = scopes.last?.depth == depth
            switch token.text {
            case "(": depth += 1
            case ")":
                while scopes.last?.depth == depth, let scope = scopes.popLast() { close(scope, at: token.start) }
                depth -= 1
            case "SELECT": scopes.append(Scope(depth: depth))
            case "FROM" where isOfScope, "JOIN" where isOfScope:
                if let source = Self.source(after: index, in: tokens) {
                    scopes[scopes.count - 1].sources.append(sources.count)
                    sources.append(source)
                }
            case "WHERE" where isOfScope: scopes[scopes.count - 1].conditionStart = token.end
            case "ORDER" where isOfScope, "LIMIT" where isOfScope, "UNION" where isOfScope, "GROUP" where isOfScope:
                // No condition of the SELECT follows.
                if let scope = scopes.popLast() { close(scope, at: token.start) }
            default: continue
            }
        }
        while let scope = scopes.popLast() { close(scope, at: original.utf8.count) }
        sql = inserted(into: original)
    }

    /// Returns the table and its alias after FROM or JOIN; nil for a sub-query and for a table without an alias of this
    /// library.
    private static func source(after index: Int, in tokens: [SQLToken]) -> Source? {
        guard index + 2 < tokens.count else { return nil }
        let (table, alias) = (tokens[index + 1], tokens[index + 2])
        guard table.isName, alias.text.first == "t", alias.text.dropFirst().allSatisfy(\.isNumber),
            alias.text.count > 1
        else { return nil }
        return Source(table: table.name, alias: alias.text)
    }

    private mutating func close(_ scope: Scope, at end: Int) {
        guard !scope.sources.isEmpty else { return }
        let calls = scope.sources.map {
            "likelihood(\(Self.functionName)(\($0), \(sources[$0].alias).rowid), 1.0)"
        }.joined(separator: " AND ")
        guard let start = scope.conditionStart else { return insertions.append((end, " WHERE \(calls) ")) }
        insertions.append((start, " \(calls) AND ("))
        insertions.append((end, ") "))
    }

    private func inserted(into original: String) -> String {
        let bytes = Array(original.utf8)
        var result: [UInt8] = []
        var place = 0
        // Insertions at the same position keep their order: an inner SELECT ends before the outer one.
        let ordered = insertions.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
        for (_, insertion) in ordered {
            result += bytes[place..<insertion.place]
            result += Array(insertion.text.utf8)
            place = insertion.place
        }
        return String(decoding: result + bytes[place...], as: UTF8.self)
    }
}

/// A word, a quoted name or text, or a single character of SQL; `start` and `end` are byte offsets.
struct SQLToken {
    let text: String
    let start: Int
    let end: Int

    /// Whether the token can be the name of a table.
    var isName: Bool { text.first.map { $0 == "\"" || $0 == "_" || $0.isLetter } ?? false }

    /// The name, without its quotes.
    var name: String {
        guard text.first == "\"" else { return text }
        return text.dropFirst().dropLast().split(separator: "\"\"", omittingEmptySubsequences: false)
            .joined(separator: "\"")
    }

    static func all(in sql: String) -> [SQLToken] {
        let bytes = Array(sql.utf8)
        var tokens: [SQLToken] = []
        var place = 0
        while place < bytes.count {
            let start = place
            switch bytes[place] {
            case UInt8(ascii: " "):
                place += 1
                continue
            case UInt8(ascii: "'"), UInt8(ascii: "\""): place = endOfQuoted(bytes, from: place)
            case let byte where isPartOfWord(byte): while place < bytes.count, isPartOfWord(bytes[place]) { place += 1 }
            default: place += 1
            }
            tokens.append(
                SQLToken(text: String(decoding: bytes[start..<place], as: UTF8.self), start: start, end: place))
        }
        return tokens
    }

    /// Returns the end of a quoted name or text; a quote character within it is doubled.
    private static func endOfQuoted(_ bytes: [UInt8], from start: Int) -> Int {
        var place = start + 1
        while place < bytes.count {
            if bytes[place] == bytes[start] {
                guard place + 1 < bytes.count, bytes[place + 1] == bytes[start] else { return place + 1 }
                place += 1
            }
            place += 1
        }
        return place
    }

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
            || byte >= 0x80
    }
}
