/// A place in a model that breaks a rule.
package struct ModelFinding: Hashable, Sendable {
    package let rule: ModelRule
    /// What is wrong here; with a subject it reads on behind it: `'Hero.name'` `has no type`.
    package let message: String
    package var entity: String?
    package var property: String?
    /// Where it is in the source; nil for models that have none.
    package var place: SourcePlace?
    /// What helps here, such as the nearest name; nil where the rule's remedy says it all.
    package var hint: String?

    /// `Hero.name`, or `Hero`; nil for what concerns the whole model.
    package var subject: String? {
        guard let entity, !entity.isEmpty else { return property }
        return property.map { "\(entity).\($0)" } ?? entity
    }

    /// The sentence with its subject.
    package var sentence: String { subject.map { "'\($0)' \(message)" } ?? message }

    /// The finding as the reason to refuse the model.
    var refusal: ModelingError {
        let isMalformed = DocumentRules.subject.rules.contains(rule)
        var error = ModelingError(
            isMalformed ? .malformed : .invalidModel, isMalformed ? message : sentence, line: place?.line,
            hint: hint ?? (isMalformed ? nil : rule.remedy))
        error.column = place?.column
        return error
    }
}
