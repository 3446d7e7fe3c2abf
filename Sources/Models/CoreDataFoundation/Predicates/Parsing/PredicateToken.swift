/// A word or sign of a format string.
enum PredicateToken: Equatable {
    /// A name or keyword, as written; a leading `@` belongs to it.
    case word(String)
    /// A name after `#`, which is never a keyword.
    case escapedWord(String)
    /// The name of a function with its colons, such as `sum:`.
    case functionName(String)
    case string(String)
    case integer(Int)
    case unsigned(UInt64)
    case decimal(Decimal)
    case double(Double)
    /// A UUID without quotes, as predicates print one.
    case uuid(UUID)
    /// A name after the dollar sign.
    case variable(String)
    /// `%@`
    case objectArgument
    /// `%K`
    case keyArgument
    /// A token for a number, such as `%d` or `%ld`, as written.
    case numberArgument(String)
    /// `%s`, for a string.
    case textArgument
    /// Punctuation and operators.
    case sign(String)
    case end

    /// How an error message names the token.
    var name: String {
        switch self {
        case .word(let text):
            PredicateKeywords.reserved.contains(text.uppercased()) ? "the keyword \(text)" : "\"\(text)\""
        case .escapedWord(let text): "\"#\(text)\""
        case .functionName(let text): "\"\(text)\""
        case .string: "a string"
        case .integer, .unsigned, .decimal, .double: "a number"
        case .uuid: "a UUID"
        case .variable(let text): "\"$\(text)\""
        case .objectArgument: "\"%@\""
        case .keyArgument: "\"%K\""
        case .numberArgument(let text): "\"\(text)\""
        case .textArgument: "\"%s\""
        case .sign(let text): "\"\(text)\""
        case .end: "the end of the text"
        }
    }
}

/// The words that are names only if `#` precedes them.
enum PredicateKeywords {
    /// Apple's list, from the Predicate Format String Syntax.
    static let reserved: Set<String> = [
        "AND", "OR", "NOT", "IN", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI", "MATCHES", "CONTAINS",
        "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "FIRST", "LAST",
        "SIZE", "ANYKEY", "SUBQUERY", "FETCH", "CAST", "TERNARY", "FUNCTION", "UNION", "INTERSECT", "MINUS",
        "TRUEPREDICATE", "FALSEPREDICATE",
    ]

    /// The reserved words that are keys where a key is expected: they are keywords only in brackets.
    static let contextual: Set<String> = ["FIRST", "LAST", "SIZE", "CI", "CASEINSENSITIVE"]
}
