/// A place in a model that breaks a rule.
public struct ModelFinding: Hashable, Sendable {
    /// The rule that is broken.
    public let rule: ModelRule
    /// What is wrong here; it continues a sentence after the subject: `'Hero.name'` `has no type`.
    public let message: String
    /// The name of the entity that it is about; nil for findings about the entire model.
    public internal(set) var entity: String?
    /// The name of the property that it is about.
    public internal(set) var property: String?
    /// Its place in the source; nil for models without one.
    public internal(set) var place: SourcePlace?
    /// A suggestion, such as the nearest name; nil where the rule's remedy suffices.
    public internal(set) var hint: String?

    /// `Hero.name`, or `Hero`; nil for findings about the entire model.
    public var subject: String? {
        guard let entity, !entity.isEmpty else { return property }
        return property.map { "\(entity).\($0)" } ?? entity
    }

    /// The sentence with its subject.
    public var sentence: String { subject.map { "'\($0)' \(message)" } ?? message }
}
