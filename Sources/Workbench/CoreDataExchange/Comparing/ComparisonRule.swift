import CoreData

/// How the comparison decides that objects of two stores are the same object.
package enum ComparisonRule: Equatable, Sendable {
    /// By a uniqueness constraint if the entity has one, else by the primary keys in the stores.
    case usual
    case match(MatchRule)

    /// The attributes whose values identify objects of an entity; empty if the primary key identifies them.
    ///
    /// - Throws: `InspectionError` for attributes that the entity does not have, or a constraint that it does not have.
    func attributes(of entity: NSEntityDescription) throws -> [NSAttributeDescription] {
        switch self {
        case .usual: try MatchScope.scopes(.constraint, of: entity, isLenient: true).first?.attributes ?? []
        case .match(let rule): try MatchScope.scopes(rule, of: entity).first?.attributes ?? []
        }
    }
}
