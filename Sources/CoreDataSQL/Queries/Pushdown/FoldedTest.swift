import CoreDataStore

/// Tests of texts without regard to case or marks, as far as a database decides them that knows no folding but that of ASCII.
///
/// Of a text in ASCII it is known what folding makes of it: its small letters for `[c]`, itself for `[d]`. Whether the test holds
/// for any other is in doubt, so these are looked at in memory.
struct FoldedTest {
    private let text: SQLExpression
    private let options: NSComparisonPredicate.Options

    init(_ text: SQLExpression, _ options: Int) {
        self.text = text
        self.options = NSComparisonPredicate.Options(rawValue: UInt(bitPattern: options))
    }

    private var folded: SQLExpression { options.contains(.caseInsensitive) ? .call("lower", [text]) : text }

    /// The number of a text's characters compared with that of its bytes; they are as many only in ASCII.
    private func lengths(_ comparison: SQLComparison) -> SQLExpression {
        .comparison(comparison, .call("char_length", [text]), .call("octet_length", [text]))
    }

    private func condition(_ test: SQLExpression) -> Pushdown.Condition {
        Pushdown.Condition(test, where: lengths(.equal), inDoubt: lengths(.less))
    }

    /// A comparison with a text that is folded already.
    func compare(_ comparison: SQLComparison, _ constant: String) -> Pushdown.Condition {
        guard comparison != .differs else { return compare(.equal, constant).negated }
        return condition(.comparison(comparison, folded, parameter(constant)))
    }

    /// One of the functions that ask something of two texts, the second a constant.
    func condition(_ function: String, _ pattern: SQLExpression) -> Pushdown.Condition {
        guard case .parameter(.text(let pattern)) = pattern else { return .unknown }
        let part = TextFolding.folded(pattern, options: options)
        if function == SQLFunctionLibrary.isLike { return like(pattern) }
        // In a text of ASCII there is nothing else; its U+0000 and U+0001 stand as two characters each.
        guard part.utf8.allSatisfy({ $0 < 0x80 }) else { return condition(.truth(false)) }
        guard !EscapedText.mayMislead(part) else { return .unknown }
        switch function {
        case SQLFunctionLibrary.hasPrefix: return condition(end("pg_catalog.left", part))
        case SQLFunctionLibrary.hasSuffix: return condition(end("pg_catalog.right", part))
        case SQLFunctionLibrary.contains:
            return condition(.comparison(.greater, .call("strpos", [folded, parameter(part)]), .number(0)))
        default: return .unknown
        }
    }

    private func end(_ function: String, _ part: String) -> SQLExpression {
        .comparison(
            .equal, .call(function, [folded, .call("char_length", [parameter(part)])]), parameter(part))
    }

    /// In ASCII every character is one scalar but the end of a line of two, so texts with such are in doubt too.
    private func like(_ pattern: String) -> Pushdown.Condition {
        let like = LikePattern(pattern, options: options)
        guard like.literals.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) else { return condition(.truth(false)) }
        guard !EscapedText.mayMislead(pattern), let text = like.sql else { return .unknown }
        let test = SQLExpression.call("pg_catalog.like", [folded, parameter(text)])
        let isPlain = SQLExpression.comparison(
            .equal, .call("strpos", [self.text, parameter("\r")]), .number(0))
        let hasReturns = SQLExpression.comparison(
            .greater, .call("strpos", [self.text, parameter("\r")]), .number(0))
        let hasEscapes = SQLExpression.comparison(
            .greater, .call("strpos", [self.text, .parameter(.text("\u{1}"))]), .number(0))
        return Pushdown.Condition(
            test, where: .conjunction([lengths(.equal), isPlain, .not(hasEscapes)]),
            inDoubt: .disjunction([lengths(.less), hasReturns, hasEscapes]))
    }

    private func parameter(_ text: String) -> SQLExpression { .parameter(.text(EscapedText.escaped(text))) }
}

extension LikePattern {
    /// The pattern as LIKE of SQL has it; nil for one with characters of several scalars.
    fileprivate var sql: String? {
        var text = ""
        for piece in pieces {
            switch piece {
            case .one: text += "_"
            case .many: text += "%"
            case .plain(let character):
                guard character.unicodeScalars.count == 1 else { return nil }
                if ["%", "_", "\\"].contains(character) { text += "\\" }
                text.append(character)
            }
        }
        return text
    }
}
