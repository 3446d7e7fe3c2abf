import CoreData

/// One step of a random sequence: a plain value, so that a sequence can be made, shortened and run again.
package indirect enum ShapesStep: Sendable {
    case insert(Int, String)
    case set(Int, String, UInt64)
    /// Makes the objects, in their order, those that a relationship leads to.
    case relate(Int, String, [Int])
    /// Passed over for an object whose deletion is denied.
    case delete(Int)
    /// Saves, then tries in vain to delete an object whose deletion is denied; passed over for any other.
    case deleteDenied(Int)
    case save
    case rollback
    case reset
    case refreshAll
    /// Turns every unchanged object into a fault.
    case refault
    /// Reads a row anew under its changes.
    case refresh(Int)
    case obtainPermanentIDs
    /// Saves; then another context of the coordinator takes some steps and saves; then this one reads everything anew.
    case elsewhere([ShapesStep])
}

extension Reference {
    /// Carries out a step on the reference; `saved` is what the store has.
    package mutating func take(_ step: ShapesStep, saved: inout Reference) {
        switch step {
        case .insert(let number, let entity): insert(number, entity)
        case .set(let number, let name, let seed):
            guard let attribute = entity(number)?.attributesByName[name] else { return }
            set(number, name, ShapesValue.text(ShapesValue.value(seed, attribute), attribute))
        case .relate(let number, let name, let targets):
            guard let relationship = entity(number)?.relationshipsByName[name] else { return }
            relate(number, relationship, existing(targets))
        case .delete(let number): if !isDenied(number) { delete(number) }
        case .deleteDenied(let number): if isDenied(number) { saved = self }
        case .save: saved = self
        case .rollback, .reset: self = saved
        case .refreshAll, .refault, .refresh, .obtainPermanentIDs: return
        case .elsewhere(let steps):
            for step in steps { take(step, saved: &saved) }
            saved = self
        }
    }

    /// Those of the objects that there are.
    package func existing(_ numbers: [Int]) -> [Int] { numbers.filter { records[$0] != nil } }
}
