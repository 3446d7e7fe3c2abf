/// A state machine that reads the tokens of a declaration up to its opening brace.
///
/// | phase | so far |
/// |---|---|
/// | `boundary` | nothing: the declaration before has ended with a brace |
/// | `attribute` | an `@`, whose name comes next |
/// | `modifiers` | attributes and modifiers, all of them |
/// | `name` | `func` |
/// | `parameters` | the name of a function, where the name is not needed |
/// | `result` | its parameters |
/// | `other` | something else, or something of which the beginning is not known |
struct DeclarationHead {
    private enum Phase { case boundary, attribute, modifiers, name, parameters, result, other }

    /// Whether the next brace begins the members of a type. A wrong true does no harm: a body is then read instead of
    /// hidden.
    private(set) var isType = false
    private var phase: Phase
    private var start = 0

    /// `isBoundary` states whether a declaration begins here.
    init(isBoundary: Bool) { phase = isBoundary ? .boundary : .other }

    /// The offset of a function that the scanner does not need, if its opening brace comes next; nil otherwise.
    var uselessFunction: Int? { phase == .result ? start : nil }

    // MARK: What comes next

    mutating func take(word: String, at token: CodeToken) {
        if Self.types.contains(word) { isType = true }
        if Self.members.contains(word) { isType = false }
        switch phase {
        case .boundary, .modifiers:
            if phase == .boundary { start = token.start }
            phase = word == "func" ? .name : Self.modifiers.contains(word) ? .modifiers : .other
        case .attribute: phase = word == "NSManaged" ? .other : .modifiers
        case .name:
            let isRelevant = word.hasPrefix("validate") || word.hasPrefix("keyPathsForValuesAffecting")
            phase = isRelevant ? .other : .parameters
        case .parameters: break
        case .result:
            let isOfNext = token.beginsLine && !["where", "async", "throws", "rethrows"].contains(word)
            if isOfNext || Self.members.contains(word) || Self.types.contains(word) { phase = .other }
        case .other: break
        }
    }

    mutating func take(mark: UInt8, at token: CodeToken) {
        let isEnd = mark == UInt8(ascii: ";") || mark == UInt8(ascii: "#")
        switch phase {
        case .boundary where mark == UInt8(ascii: "@"): (phase, start) = (.attribute, token.start)
        case .modifiers where mark == UInt8(ascii: "@"): phase = .attribute
        case .name where !isEnd: phase = .parameters
        case .parameters where !isEnd: break
        // An arrow may begin a line.
        case .result where !isEnd && (!token.beginsLine || mark == UInt8(ascii: "-")): break
        default: phase = .other
        }
    }

    /// Advances the state past a complete group of parentheses or brackets.
    mutating func takeGroup(_ closing: CodeToken.Closing, at token: CodeToken) {
        switch phase {
        case .modifiers where closing == .parenthesis: break
        case .parameters: phase = closing == .parenthesis ? .result : .other
        case .result where !token.beginsLine: break
        default: phase = .other
        }
    }

    // MARK: Words

    private static let types: Set = ["class", "struct", "enum", "actor", "protocol", "extension"]
    /// Keywords that begin declarations other than types and that never occur before the brace of a type.
    private static let members: Set = ["func", "var", "init", "deinit", "subscript", "case"]
    private static let modifiers: Set = [
        "public", "private", "fileprivate", "internal", "package", "open", "static", "class", "final", "override",
        "required", "convenience", "dynamic", "mutating", "nonmutating", "nonisolated", "prefix", "postfix", "infix",
        "consuming", "borrowing", "distributed", "isolated",
    ]
}
