import CoreDataStore

/// `LIKE` as a database evaluates it: with its own `LIKE` for ASCII, otherwise with a regular expression over
/// characters.
struct LikeTest {
    private let text: FoldedText
    private let pattern: LikePattern
    /// The folded pattern; only the scalars that folding turns into its scalars matter.
    private let constant: String

    init(_ text: FoldedText, _ pattern: String) {
        self.text = text
        self.pattern = LikePattern(pattern, options: text.options)
        constant = text.constant(pattern)
    }

    /// The text with which every text begins that matches the folded pattern.
    var start: String {
        pattern.pieces.prefix { if case .plain = $0 { true } else { false } }
            .reduce(into: "") { if case .plain(let character) = $1 { $0.append(character) } }
    }

    var condition: Pushdown.Condition {
        guard let like = pattern.sql, let expression = pattern.expression, !constant.utf8.contains(where: { $0 <= 2 })
        else { return .unknown }
        let folded = text.value(deciding: constant)
        // Folding may separate the scalars of Hangul syllables.
        let isRare = SQLExpression.conjunction([
            text.isASCII.negated,
            .call("pg_catalog.textregexeq", [folded.expression, .parameter(.text(Characters.rare))]),
        ])
        var doubt = [folded.doubt, isRare]
        // A scalar that folding expands to several may count as several characters.
        if pattern.pieces.contains(.one), text.options.contains(.caseInsensitive) {
            doubt.append(text.hasBeyondASCII(Characters.growing))
        }
        // In ASCII each character is one scalar, except CR LF; U+0000 and U+0001 are stored as two scalars.
        let isPlain = SQLExpression.not(
            .call("pg_catalog.textregexeq", [text.text.expression, .parameter(.text("[\u{1}\r]"))]))
        let (test, match) = (
            SQLExpression.call("pg_catalog.like", [folded.expression, .parameter(.text(like))]),
            SQLExpression.call("pg_catalog.textregexeq", [folded.expression, .parameter(.text(expression))])
        )
        return Pushdown.Condition(
            .disjunction([
                .conjunction([text.isASCII, isPlain, test]),
                .conjunction([.disjunction([text.isASCII.negated, isPlain.negated]), match]),
            ]), unless: .disjunction(doubt))
    }
}

extension LikePattern {
    /// The pattern in the syntax of SQL's LIKE.
    fileprivate var sql: String? {
        var text = ""
        for piece in pieces {
            switch piece {
            case .one: text += "_"
            case .many: text += "%"
            case .plain(let character):
                if ["%", "_", "\\"].contains(character) { text += "\\" }
                text.append(character)
            }
        }
        return text
    }

    /// The pattern as a regular expression over characters; nil if it contains a rare character.
    fileprivate var expression: String? {
        var text = "^"
        for piece in pieces {
            switch piece {
            case .one: text += Characters.one
            case .many: text += "\(Characters.one)*"
            case .plain(let character):
                guard !Characters.isRare(character) else { return nil }
                if character.unicodeScalars.first.map(Characters.isPicture) == true {
                    text += "(?<!\(Characters.joiner))"
                }
                for scalar in character.unicodeScalars {
                    if scalar.isASCII, !("a"..."z").contains(scalar), !("A"..."Z").contains(scalar),
                        !("0"..."9").contains(scalar)
                    {
                        text += "\\"
                    }
                    text.unicodeScalars.append(scalar)
                }
            }
        }
        return text + "$"
    }
}
