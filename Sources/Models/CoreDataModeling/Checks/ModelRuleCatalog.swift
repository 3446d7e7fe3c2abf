/// All rules against which models are checked, by subject.
package enum ModelRuleCatalog {
    /// The subjects in the order of checking; a model is refused for the first subject that finds a reason.
    static let subjects: [ModelRuleSubject] = [
        DocumentRules.subject, NameRules.subject, InheritanceRules.subject, AttributeRules.subject,
        CompositeRules.subject, LimitRules.subject, TransformerRules.subject, RelationshipRules.subject,
        InverseRules.subject, DeletionRules.subject, IndexRules.subject, SearchRules.subject, ConstraintRules.subject,
        ConfigurationRules.subject, RequestRules.subject, DerivationRules.subject, RenamingRules.subject,
        ClassRules.subject, CloudRules.subject,
    ]

    /// Every rule with the title of its subject.
    package static let all: [(subject: String, rule: ModelRule)] = subjects.flatMap { subject in
        subject.rules.map { (subject.title, $0) }
    }

    /// The rule of an identifier.
    package static func rule(_ identifier: String) -> ModelRule? {
        all.first { $0.rule.identifier == identifier }?.rule
    }
}

extension ModelCheck {
    /// Every rule, in the order of checking.
    package static var rules: [ModelRule] { ModelRuleCatalog.all.map(\.rule) }
}
