/// All rules that models are checked against, by subject.
package enum ModelRuleCatalog {
    /// The subjects in the order in which a model is looked through; what is refused is refused for the first of them.
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
    /// Every rule, in the order in which models are checked against them.
    package static var rules: [ModelRule] { ModelRuleCatalog.all.map(\.rule) }
}
