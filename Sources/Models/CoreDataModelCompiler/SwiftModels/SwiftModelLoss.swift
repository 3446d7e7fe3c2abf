/// What of a model a source with `@Model` classes cannot say.
package struct SwiftModelLoss: Hashable, Sendable {
    /// The entity that it is about; nil for the model.
    package let entity: String?
    /// The property that it is about; nil for an entity.
    package let property: String?
    /// What cannot be said, as the rest of a sentence after the subject.
    package let message: String
    /// What its author can do.
    package let remedy: String
    /// Whether the version hash of the entity is another one for it.
    package let changesHash: Bool

    package init(
        entity: String?, property: String? = nil, _ message: String, remedy: String, changesHash: Bool = false
    ) {
        (self.entity, self.property, self.message) = (entity, property, message)
        (self.remedy, self.changesHash) = (remedy, changesHash)
    }

    /// `Hero.name`, or `Hero`; nil for the model.
    package var subject: String? {
        guard let entity else { return nil }
        return property.map { "\(entity).\($0)" } ?? entity
    }

    /// `'Hero.name' is derived: …`.
    package var sentence: String {
        let hash = changesHash ? ", which its version hash contains" : ""
        return "'\(subject ?? "model")' \(message)\(hash): \(remedy)"
    }
}
