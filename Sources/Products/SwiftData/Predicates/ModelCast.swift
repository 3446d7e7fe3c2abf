import CoreDataGraph
import Foundation

/// A cast of a model in a predicate to another class of its hierarchy.
struct ModelCast {
    /// When the model is of the class.
    let holds: NSPredicate
    /// The model as one of the class; nil for other models.
    let term: PredicateTerm

    /// Nil for terms and types other than models.
    ///
    /// - Throws: `SwiftDataError.unsupportedPredicate` for a class that the model can never be of.
    init?(_ term: PredicateTerm, to desired: Any.Type, _ scope: PredicateScope) throws {
        guard let own = PredicateTerm.plain(term.type) as? any PersistentModel.Type,
            let wanted = PredicateTerm.plain(desired) as? any PersistentModel.Type,
            case .path(let root, let path) = term.form
        else { return nil }
        let (ownPlan, plan) = (ModelPlan.of(own), ModelPlan.of(wanted))
        let present = term.presence ?? Self.present(term)
        if ownPlan.inherits(from: plan) {
            self.term = term
            holds = term.type is any OptionalType.Type ? present : NSPredicate(value: true)
            return
        }
        guard plan.inherits(from: ownPlan) else {
            throw unsupported("\(term.text) as \(wanted)", "asks for a class that the model never has.")
        }
        let entity = scope.coordinator.managedObjectModel.entitiesByName[plan.name]
        let expression = PredicateTerm.expression(root, path.isEmpty ? "entity" : "\(path).entity")
        holds = disjunction(
            Self.family(of: entity).map { equal(expression, NSExpression(forConstantValue: $0)) })
        let step = SubentityStep.text(plan.name)
        var cast = PredicateTerm(
            .path(root: root, path.isEmpty ? step : "\(path).\(step)"), type: wanted,
            text: "(\(term.text) as \(wanted))")
        cast.presence = holds
        self.term = cast
    }

    private static func present(_ term: PredicateTerm) -> NSPredicate {
        guard case .path(let root, let path) = term.form, !path.isEmpty else { return NSPredicate(value: true) }
        return negation(equal(PredicateTerm.expression(root, path), NSExpression(forConstantValue: nil)))
    }

    private static func family(of entity: NSEntityDescription?) -> [NSEntityDescription] {
        guard let entity else { return [] }
        return [entity] + entity.subentities.flatMap { family(of: $0) }
    }
}

extension ModelPlan {
    /// Whether the class is another one or inherits from it.
    func inherits(from other: ModelPlan) -> Bool { self === other || superplan?.inherits(from: other) == true }
}
