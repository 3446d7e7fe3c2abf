/// A place in a model that breaks a rule.
public struct ModelFinding: Hashable, Sendable {
    /// The rule that is broken.
    public let rule: ModelRule
    /// What is wrong here; with a subject it reads on behind it: `'Hero.name'` `has no type`.
    public let message: String
    /// The name of the entity that it is about; nil for what concerns the whole model.
    public internal(set) var entity: String?
    /// The name of the property that it is about.
    public internal(set) var property: String?
    /// Where it is in the source; nil for models that have none.
    public internal(set) var place: SourcePlace?
    /// What helps here, such as the nearest name; nil where the rule's remedy says it all.
    public internal(set) var hint: String?

    /// `Hero.name`, or `Hero`; nil for what concerns the whole model.
    public var subject: String? {
        guard let entity, !entity.isEmpty else { return property }
        return property.map { "\(entity).\($0)" } ?? entity
    }

    /// The sentence with its subject.
    public var sentence: String { subject.map { "'\($0)' \(message)" } ?? message }
}
