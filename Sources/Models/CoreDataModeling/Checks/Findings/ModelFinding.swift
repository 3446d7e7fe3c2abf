/// A place in a model that breaks a rule.
public struct ModelFinding: Hashable, Sendable {
    /// The rule that is broken.
    public let rule: ModelRule
    /// What is wrong, as the rest of a sentence after the subject: `'Hero.name'` `has no type`.
    public let message: String
    /// The name of the entity that the finding is about; nil for findings about the entire model.
    public internal(set) var entity: String?
    /// The name of the property that the finding is about; nil for findings about an entity or the model.
    public internal(set) var property: String?
    /// The position in the source; nil for models without a source.
    public package(set) var place: SourcePlace?
    /// A suggestion, such as the nearest name; nil if the rule's remedy suffices.
    public internal(set) var hint: String?

    /// `Hero.name`, or `Hero`; nil for findings about the entire model.
    public var subject: String? {
        guard let entity, !entity.isEmpty else { return property }
        return property.map { "\(entity).\($0)" } ?? entity
    }

    /// The complete sentence: the subject and the message.
    public var sentence: String { subject.map { "'\($0)' \(message)" } ?? message }
}
