/// The rules about one subject, with the function that checks a model against them.
struct ModelRuleSubject: Sendable {
    let title: String
    let rules: [ModelRule]
    let check: @Sendable (inout RuleViolationCollector) -> Void

    /// Whether a reader must check a model against the subject's rules, since one of them can refuse it.
    var canRefuse: Bool { rules.contains { $0.refusal != .none } }
}
