/// The compound predicate that parsing and substitution make: Foundation's, with a text, equality and copies.
package final class CompoundPredicate: NSCompoundPredicate {
    /// What the predicate asks of objects with slots, from its first use on.
    let plans = LazyReference<SlotPlans>()

    /// The text of the predicate, which parses to an equal one.
    package override var predicateFormat: String { formatString }

    package override var description: String { formatString }

    package override func evaluate(with object: Any?) -> Bool {
        evaluate(with: object, substitutionVariables: nil)
    }

    package override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        if let answer = SlotPlans.answer(plans, for: object) { return answer }
        var prepared = PreparedPredicate(self, SlotPlans.kept(in: plans))
        return orStop { try prepared.holds(forAny: object, variables: bindings ?? [:]) }
    }

    package override func copy(with zone: NSZone? = nil) -> Any {
        CompoundPredicate(type: compoundPredicateType, subpredicates: subpredicates)
    }

    package override func copy() -> Any { copy(with: nil) }

    package override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPredicate else { return false }
        return self === other || PredicateNode(self) == PredicateNode(other)
    }

    package override var hash: Int { formatString.hashValue }
}
