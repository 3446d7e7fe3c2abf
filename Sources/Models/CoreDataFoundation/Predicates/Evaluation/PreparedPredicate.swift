import Synchronization

/// A predicate prepared for evaluation with many objects: it is compiled once for each kind of object with slots.
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
        // The plans that exist are tried first, since a cast to a protocol takes longer than the rest.
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

/// The compiled plans of one predicate, for readers with different slots.
///
/// Invariant: there are at most `mostPlans`; then all are removed, since readers of discarded models do not return.
final class SlotPlanCache: Sendable {
    private static let mostPlans = 64
    private static let mostInLine = 16

    /// The plan that was made first. The next plans are linked from it by `next`, so all are found without a lock.
    private let made = LazyReference<SlotPlan>()
    /// The linked plan that last gave an answer.
    private let latest = LentReference<SlotPlan>()
    /// Guards the plans by the stamps of their readers; plans are immutable.
    private let contents = Mutex<[Int: SlotPlan]>([:])

    /// The plans that a predicate stores; an empty cache for a predicate of Foundation's classes, which cannot store
    /// plans.
    static func plans(of predicate: NSPredicate) -> SlotPlanCache {
        switch predicate {
        case let comparison as NSComparisonPredicate: kept(in: comparison.plans)
        case let compound as NSCompoundPredicate: kept(in: compound.plans)
        default: SlotPlanCache()
        }
    }

    /// The plan that was made first, if there is one.
    var first: SlotPlan? { made.load() }

    /// Evaluates the stored plans of a predicate for an object by its slots alone; nil if the slots do not suffice.
    static func answer(_ place: borrowing LazyReference<SlotPlanCache>, for object: Any?) -> Bool? {
        place.lend { $0.answer(for: object) }
    }

    /// Evaluates the linked plans for an object by its slots alone, without retaining anything; nil if none applies.
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
