import CoreDataStore

/// `MATCHES` as a database evaluates it: with its own regular expressions, for patterns that mean the same to both
/// engines.
struct MatchTest {
    private let text: FoldedText
    private let pattern: String

    init(_ text: FoldedText, _ pattern: String) {
        self.text = text
        self.pattern = pattern
    }

    var condition: Pushdown.Condition {
        let folded = text.caseSensitive
        guard
            let expression = ServerPattern.translated(
                folded.constant(pattern), ignoresCase: text.options.contains(.caseInsensitive))
        else { return .unknown }
        return Pushdown.Condition(folded.value(deciding: nil)) {
            .call("pg_catalog.textregexeq", [$0, .parameter(.text(expression))])
        }
    }
}
