import Synchronization

/// A predicate made ready for many objects: what it asks of each kind of them is worked out once.
package struct PreparedPredicate {
    private let predicate: NSPredicate
    private let plans: SlotPlanCache
    private let badPatterns: BadPatterns
    private var last: SlotPlan?

    package init(_ predicate: NSPredicate, badPatterns: BadPatterns = .thrown) {
        self.init(predicate, SlotPlanCache.plans(of: predicate), badPatterns: badPatterns)
    }

    init(_ predicate: NSPredicate, _ plans: SlotPlanCache, badPatterns: BadPatterns) {
        self.predicate = predicate
        self.plans = plans
        self.badPatterns = badPatterns
        last = plans.first
    }

    /// Whether the predicate holds for an object of any kind.
    ///
    /// - Throws: what `evaluation(of:on:variables:)` throws.
    package mutating func holds(forAny object: Any?, variables: [String: Any] = [:]) throws -> Bool {
        guard let object else { return try evaluated(nil, variables) }
        // A cast to a protocol takes longer than the rest; objects of known kinds need none.
        if let answer = last?.answer(for: object) ?? plans.answer(for: object) { return answer }
        guard let reader = object as? any SlotReading else { return try evaluated(object, variables) }
        return try holds(for: reader, variables: variables)
    }

    private func evaluated(_ object: Any?, _ variables: [String: Any]) throws -> Bool {
        try evaluator(object, variables).holds(predicate)
    }

    private func evaluator(_ object: Any?, _ variables: [String: Any]) -> Evaluator {
        Evaluator(object: object, variables: variables, badPatterns: badPatterns)
    }

    /// Whether the predicate holds.
    ///
    /// - Throws: what `evaluation(of:on:variables:)` throws.
    package mutating func holds<Reader: SlotReading>(
        for reader: Reader, variables: [String: Any] = [:]
    ) throws -> Bool {
        let stamp = reader.slotStamp
        if let last, last.stamp == stamp {
            return try last.holds(for: reader, of: predicate) { evaluator($0, variables) }
        }
        guard stamp != 0 else { return try evaluated(reader.evaluatedObject, variables) }
        let plan = plans.plan(of: predicate, for: reader)
        last = plan
        return try plan.holds(for: reader, of: predicate) { evaluator($0, variables) }
    }
}

/// The plans of one predicate, for readers with different slots.
///
/// Invariant: there are never more than `mostPlans`, since the readers of models that are gone do not come back.
final class SlotPlanCache: Sendable {
    private static let mostPlans = 64
    private static let mostInLine = 16

    /// The plan that was made first; behind it stand the next ones, all of them found without a lock.
    private let made = LazyReference<SlotPlan>()
    /// The plan in line that answered last.
    private let latest = LentReference<SlotPlan>()
    /// Guards the plans by the stamps of their readers; no plan changes.
    private let contents = Mutex<[Int: SlotPlan]>([:])

    /// The plans that a predicate stores; new ones for a predicate of Foundation's, which cannot store them.
    static func plans(of predicate: NSPredicate) -> SlotPlanCache {
        switch predicate {
        case let comparison as NSComparisonPredicate: kept(in: comparison.plans)
        case let compound as NSCompoundPredicate: kept(in: compound.plans)
        default: SlotPlanCache()
        }
    }

    /// The plan that was made first, if there is one.
    var first: SlotPlan? { made.load() }

    /// What a plan that a predicate keeps states about an object by its slots alone; nil where more is to be asked.
    static func answer(_ place: borrowing LazyReference<SlotPlanCache>, for object: Any?) -> Bool? {
        place.lend { $0.answer(for: object) }
    }

    /// What one of the plans in line states about an object by its slots alone; no reference is counted.
    func answer(for object: Any?) -> Bool? {
        latest.lend { $0.answer(for: object) } ?? made.lend { $0.answerInLine(for: object, noting: latest) }
    }

    static func kept(in place: borrowing LazyReference<SlotPlanCache>) -> SlotPlanCache {
        place.load() ?? place.storeIfNil(SlotPlanCache())
    }

    func plan<Reader: SlotReading>(of predicate: NSPredicate, for reader: Reader) -> SlotPlan {
        let stamp = reader.slotStamp
        if let known = contents.withLock({ $0[stamp] }) { return known }
        let plan = SlotPlan(predicate, for: reader)
        contents.withLock { contents in
            if contents.count >= Self.mostPlans { contents.removeAll() }
            contents[stamp] = plan
        }
        putInLine(plan)
        return plan
    }

    private func putInLine(_ plan: SlotPlan) {
        var other = made.storeIfNil(plan)
        for _ in 1..<Self.mostInLine where other !== plan && other.stamp != plan.stamp {
            other = other.next.storeIfNil(plan)
        }
    }
}
