import CoreData

/// By what objects of two stores are known to be the same one.
package enum ComparisonRule: Equatable, Sendable {
    /// By a uniqueness constraint of their entity where it has one, else by their keys in the store.
    case usual
    case match(MatchRule)

    /// The attributes whose values distinguish objects of an entity; none for the key in the store.
    ///
    /// - Throws: `InspectionError` for attributes that the entity does not have, or a constraint that it does not have.
    func attributes(of entity: NSEntityDescription) throws -> [NSAttributeDescription] {
        switch self {
        case .usual: try MatchScope.scopes(.constraint, of: entity, isLenient: true).first?.attributes ?? []
        case .match(let rule): try MatchScope.scopes(rule, of: entity).first?.attributes ?? []
        }
    }
}
