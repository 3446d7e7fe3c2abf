/// A rule that models are checked against: what is wrong with a model that breaks it, and what its author can do.
public struct ModelRule: Hashable, Sendable {
    /// How bad it is when a rule is broken.
    public enum Severity: String, Sendable, CaseIterable {
        /// The model cannot be used, or not as its author means it.
        case error
        /// The model works, and will surprise.
        case warning
        /// Something to know.
        case note
    }

    /// Which models that break the rule are refused when they are read.
    enum Refusal: Sendable {
        case none
        /// Sources, whose authors can correct them.
        case sources
        case always
    }

    /// A stable name in small letters with hyphens.
    public let identifier: String
    /// How bad it is.
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

    /// When a model that breaks the rule is refused, in a word: `always`, `sources` or nothing.
    package var refusedText: String {
        switch refusal {
        case .none: ""
        case .sources: "sources"
        case .always: "always"
        }
    }

    func refuses(source isSource: Bool) -> Bool { refusal == .always || isSource && refusal == .sources }
}
