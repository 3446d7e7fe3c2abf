/// A rule against which models are checked, with what is wrong with a model that breaks it and what its author can do.
public struct ModelRule: Hashable, Sendable {
    /// The severity of a broken rule.
    public enum Severity: String, Sendable, CaseIterable {
        /// The model cannot be used, or not as its author means it.
        case error
        /// The model works, but probably not as its author expects.
        case warning
        /// A fact that the author should know.
        case note
    }

    /// Which models are refused by their reader if they break the rule.
    enum Refusal: Sendable {
        case none
        /// Sources, whose authors can correct them.
        case sources
        case always
    }

    /// A stable name in small letters with hyphens.
    public let identifier: String
    /// The severity of breaking the rule.
    public let severity: Severity
    /// What is wrong, in one sentence.
    public let statement: String
    /// What to do, in one sentence.
    public let remedy: String
    let refusal: Refusal

    init(_ identifier: String, severity: Severity, statement: String, remedy: String, refusal: Refusal = .none) {
        self.identifier = identifier
        self.severity = severity
        self.statement = statement
        self.remedy = remedy
        self.refusal = refusal
    }

    /// Which models are refused for breaking the rule, in a word: `always`, `sources` or an empty text.
    package var refusedText: String {
        switch refusal {
        case .none: ""
        case .sources: "sources"
        case .always: "always"
        }
    }

    func refuses(source isSource: Bool) -> Bool { refusal == .always || isSource && refusal == .sources }
}
