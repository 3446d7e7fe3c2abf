import Synchronization

/// A predicate made ready for many objects: what it asks of each kind of them is worked out once.
package struct PreparedPredicate {
    private let predicate: NSPredicate
    private let plans: SlotPlans
    private var last: SlotPlan?

    package init(_ predicate: NSPredicate) {
        self.init(predicate, SlotPlans.plans(of: predicate))
    }

    init(_ predicate: NSPredicate, _ plans: SlotPlans) {
        self.predicate = predicate
        self.plans = plans
        last = plans.first
    }

    /// Whether the predicate holds for an object of any kind.
    ///
    /// - Throws: what `evaluation(of:on:variables:)` throws.
    package mutating func holds(forAny object: Any?, variables: [String: Any] = [:]) throws -> Bool {
        guard let object else { return try evaluated(nil, variables) }
        // A cast to a protocol takes longer than the rest; objects of one class in a row need none.
        if let answer = last?.answer(for: object) { return answer }
        guard let reader = object as? any SlotReading else { return try evaluated(object, variables) }
        return try holds(for: reader, variables: variables)
    }

    private func evaluated(_ object: Any?, _ variables: [String: Any]) throws -> Bool {
        try Evaluator(object: object, variables: variables).holds(predicate)
    }

    /// Whether the predicate holds.
    ///
    /// - Throws: what `evaluation(of:on:variables:)` throws.
    package mutating func holds<Reader: SlotReading>(
        for reader: Reader, variables: [String: Any] = [:]
    ) throws -> Bool {
        let stamp = reader.slotStamp
        if let last, last.stamp == stamp { return try last.holds(for: reader, of: predicate, variables) }
        guard stamp != 0 else { return try evaluated(reader.evaluatedObject, variables) }
        let plan = plans.plan(of: predicate, for: reader)
        last = plan
        return try plan.holds(for: reader, of: predicate, variables)
    }
}

/// The plans of one predicate, for readers with different slots.
///
/// Invariant: there are never more than `mostPlans`, since the readers of models that are gone do not come back.
final class SlotPlans: Sendable {
    private static let mostPlans = 64

    /// The plan that was made first, which most predicates need no other beside; found without a lock.
    private let made = LazyReference<SlotPlan>()
    /// Guards the plans by the stamps of their readers; no plan changes.
    private let contents = Mutex<[Int: SlotPlan]>([:])

    /// The plans that a predicate keeps with it; new ones for a predicate of Foundation's, which has no place for them.
    static func plans(of predicate: NSPredicate) -> SlotPlans {
        switch predicate {
        case let comparison as NSComparisonPredicate: kept(in: comparison.plans)
        case let compound as CompoundPredicate: kept(in: compound.plans)
        default: SlotPlans()
        }
    }

    /// The plan that was made first, if there is one.
    var first: SlotPlan? { made.load() }

    /// What the plan that was made first tells of an object by its slots alone; nil where more is to be asked.
    ///
    /// Most predicates are asked about objects of one kind: they get no further, and no reference is counted.
    static func answer(_ place: borrowing LazyReference<SlotPlans>, for object: Any?) -> Bool? {
        place.lend { plans in plans.made.lend { plan in plan.answer(for: object) } }
    }

    static func kept(in place: borrowing LazyReference<SlotPlans>) -> SlotPlans {
        place.load() ?? place.storeIfNil(SlotPlans())
    }

    func plan<Reader: SlotReading>(of predicate: NSPredicate, for reader: Reader) -> SlotPlan {
        let stamp = reader.slotStamp
        if let known = contents.withLock({ $0[stamp] }) { return known }
        let plan = SlotPlan(predicate, for: reader)
        contents.withLock { contents in
            if contents.count >= Self.mostPlans { contents.removeAll() }
            contents[stamp] = plan
        }
        _ = made.storeIfNil(plan)
        return plan
    }
}
