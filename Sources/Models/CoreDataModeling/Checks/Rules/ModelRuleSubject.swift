/// The rules about one subject, and how a model is looked through for them.
struct ModelRuleSubject: Sendable {
    let title: String
    let rules: [ModelRule]
    let check: @Sendable (inout RuleViolationCollector) -> Void

    /// Whether reading a model has to look through it for the subject's rules.
    var canRefuse: Bool { rules.contains { $0.refusal != .none } }
}
