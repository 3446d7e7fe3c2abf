/// The nesting depth of a source, determined from its bytes before it is parsed.
///
/// The parser is recursive and does not limit every kind of nesting: chains of `else if`, `A<A<…`, `A->A->…` and
/// similar can be of any depth. This type counts what may open a level in each pair of brackets; the sum over the open
/// pairs is at least the depth.
struct Nesting {
    /// The number of levels that fit the stack: a level was measured to use less than 27,000 bytes.
    private static let levelLimit = 12_000
    /// Far above the parser's own limit, since unmatched brackets in string literals count too.
    private static let bracketLimit = 4_000
    private static let conditionLimit = 256
    /// The stack size in bytes that suffices for any source within the limits.
    static let stackSize = 512 << 20

    /// The words that may open a level without a bracket.
    private static let openers: Set<[UInt8]> = Set(
        ["if", "else", "try", "await", "repeat", "do", "let", "var", "inout", "some", "any", "return", "while"].map {
            Array($0.utf8)
        })

    private var open: [(bracket: UInt8, count: Int)] = [(0, 0)]
    private var total = 0
    /// The number of open `#if` directives.
    private var conditions = 0
    private var isWithinLimits = true
    private var word: [UInt8] = []
    /// Whether a number sign precedes the word.
    private var isDirective = false

    /// Whether a source is within the limits.
    static func isBounded(_ bytes: [UInt8]) -> Bool {
        var nesting = Nesting()
        for byte in bytes {
            nesting.take(byte)
            guard nesting.isWithinLimits else { return false }
        }
        nesting.endWord()
        return nesting.isWithinLimits
    }

    private mutating func take(_ byte: UInt8) {
        if byte >= UInt8(ascii: "a"), byte <= UInt8(ascii: "z") {
            if word.count < 8 { word.append(byte) }
            return
        }
        endWord()
        switch byte {
        case UInt8(ascii: "#"): isDirective = true
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): open(byte)
        case UInt8(ascii: ")"): close(UInt8(ascii: "("))
        case UInt8(ascii: "]"): close(UInt8(ascii: "["))
        case UInt8(ascii: "}"): close(UInt8(ascii: "{"))
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "."): count()
        default: break
        }
    }

    private mutating func endWord() {
        guard !word.isEmpty else { return }
        switch (isDirective, word) {
        case (true, Array("if".utf8)): open(UInt8(ascii: "#"))
        case (true, Array("endif".utf8)): close(UInt8(ascii: "#"))
        case (_, let word): if Self.openers.contains(word) { count() }
        }
        word.removeAll(keepingCapacity: true)
        isDirective = false
    }

    private mutating func open(_ bracket: UInt8) {
        open.append((bracket, 0))
        if bracket == UInt8(ascii: "#") { conditions += 1 }
        isWithinLimits = isWithinLimits && open.count <= Self.bracketLimit && conditions <= Self.conditionLimit
    }

    private mutating func count() {
        open[open.count - 1].count += 1
        total += 1
        isWithinLimits = isWithinLimits && total <= Self.levelLimit
    }

    /// Closes the innermost open bracket of a kind and all brackets inside it; ignores one that is not open, since
    /// brackets in string literals and comments need not match.
    private mutating func close(_ bracket: UInt8) {
        guard let place = open.lastIndex(where: { $0.bracket == bracket }) else { return }
        for closed in open[place...] {
            total -= closed.count
            if closed.bracket == UInt8(ascii: "#") { conditions -= 1 }
        }
        open.removeSubrange(place...)
    }
}
