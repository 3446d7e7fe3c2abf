import CoreDataStore

/// A text with case or marks folded, as a database computes it without the functions of this framework.
///
/// ASCII is folded by `lower`. Other texts are normalized, with the same result in all versions of Unicode, then folded
/// by the tables of `TextFolding`, which are parameters. A text with characters that the server may not know is in
/// doubt.
struct FoldedText {
    let text: PushedValue
    let options: NSComparisonPredicate.Options

    init(_ text: PushedValue, _ options: NSComparisonPredicate.Options) {
        self.text = text
        self.options = options.contains(.normalized) ? [] : options
    }

    init(_ text: PushedValue, _ options: Int) { self.init(text, .init(rawValue: UInt(bitPattern: options))) }

    /// Returns a constant, folded in memory.
    func constant(_ text: String) -> String { TextFolding.folded(text, options: options) }

    /// The same text, compared with regard to case.
    var caseSensitive: FoldedText { FoldedText(text, options.subtracting(.caseInsensitive)) }

    /// The condition that all characters are ASCII: then there are as many as bytes.
    var isASCII: SQLExpression { lengths(.equal) }

    private func lengths(_ comparison: SQLComparison) -> SQLExpression {
        .comparison(
            comparison, .call("char_length", [text.expression]), .call("octet_length", [text.expression]))
    }

    /// Returns the condition that a regular expression finds something in a text that is not ASCII.
    func hasBeyondASCII(_ pattern: String) -> SQLExpression {
        .conjunction([
            lengths(.less), .call("pg_catalog.textregexeq", [text.expression, .parameter(.text(pattern))]),
        ])
    }

    /// Returns the folded text. With a `constant`, which is folded already, the table of case folding is reduced to the
    /// characters that decide whether the text contains the constant.
    func value(deciding constant: String?) -> PushedValue {
        guard !options.isEmpty else { return text }
        let ignoresCase = options.contains(.caseInsensitive)
        let plain = ignoresCase ? SQLExpression.call("pg_catalog.lower", [text.expression]) : text.expression
        let value = PushedValue(
            expression: .conditional(isASCII, then: plain, otherwise: whole(deciding: constant)), kind: .text,
            doubt: text.doubt)
        return value.doubted(where: hasBeyondASCII(FoldingTable.unknownToServers.bracket))
    }

    private func whole(deciding constant: String?) -> SQLExpression {
        let ignoresMarks = options.contains(.diacriticInsensitive)
        func text(_ text: String) -> SQLExpression { .parameter(.text(text)) }
        var whole = SQLExpression.call(
            "pg_catalog.normalize", [self.text.expression, text(ignoresMarks ? "NFD" : "NFC")])
        if options.contains(.caseInsensitive) {
            let table = ignoresMarks ? FoldingTable.decomposed : .composed
            whole = (constant.map { table.part(deciding: $0) } ?? table).folded(.call("pg_catalog.lower", [whole]))
        }
        guard ignoresMarks else { return whole }
        return .call("pg_catalog.regexp_replace", [whole, text(FoldingTable.marks.bracket), text(""), text("g")])
    }
}
