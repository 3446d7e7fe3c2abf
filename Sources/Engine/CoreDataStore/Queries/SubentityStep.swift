import CoreDataModeling

/// A step of a key path that goes on from the same object as one of a subentity: the name of the subentity in
/// parentheses, as in `(Manager).bonus`. The path's value is nil for objects of other entities.
package enum SubentityStep {
    /// The step for an entity.
    package static func text(_ entity: String) -> String { "(\(entity))" }

    /// The name of the entity in a step; nil for a step of another kind.
    package static func entityName(in step: String) -> String? {
        guard step.utf8.first == UInt8(ascii: "("), step.utf8.last == UInt8(ascii: ")") else { return nil }
        return String(step.dropFirst().dropLast())
    }

    /// The entity that a step leads to; nil for a step of another kind, and for an entity that does not inherit.
    package static func entity(_ step: String, from start: NSEntityDescription) -> NSEntityDescription? {
        guard let name = entityName(in: step) else { return nil }
        if start.name == name { return start }
        return start.subentities.lazy.compactMap { entity(step, from: $0) }.first
    }

    /// Whether an entity is one with a name, or inherits from it.
    package static func isKind(_ entity: NSEntityDescription, of name: String) -> Bool {
        sequence(first: entity, next: \.superentity).contains { $0.name == name }
    }
}
