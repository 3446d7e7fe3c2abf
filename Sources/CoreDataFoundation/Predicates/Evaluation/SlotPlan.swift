/// A predicate laid out for readers with certain slots: conditions one after the other, each saying where to go on.
///
/// Invariants:
/// 1. A step goes on at a step before it in `steps`, or at one of the two ends: every run comes to an end.
/// 2. The conditions run in the order in which they are written, and none after the one that decides.
/// 3. The plan does not refer to the predicate that it is for, which keeps it: a part that is nil is that predicate.
final class SlotPlan: @unchecked Sendable {
    /// A condition and where to go on; plain bits, so that running through the steps counts no references.
    struct Step {
        let slot: PlainSlot
        let test: SlotTest
        let whenTrue: Int
        let whenFalse: Int
    }

    /// The ends of a run.
    static let holds = -1
    static let fails = -2

    let stamp: Int
    /// The class of the readers.
    let readerClass: any SlotReading.Type
    let steps: [Step]
    /// The part of the predicate that each step stands for.
    private let parts: [NSPredicate?]
    private let texts: [TextTest.Bytes]
    private let start: Int

    init(_ predicate: NSPredicate, for reader: some SlotReading) {
        stamp = reader.slotStamp
        readerClass = type(of: reader)
        var maker = SlotPlanMaker(reader: reader)
        start = maker.append(PredicateNode(predicate), whenTrue: Self.holds, whenFalse: Self.fails)
        steps = maker.steps
        parts = maker.parts.map { $0 === predicate ? nil : $0 }
        texts = maker.texts
    }

    deinit {
        for text in texts { text.deallocate() }
    }

    /// Whether the predicate holds; what no slot tells is left to the evaluator.
    func holds<Reader: SlotReading>(
        for reader: Reader, of predicate: NSPredicate, _ variables: [String: Any]
    ) throws -> Bool {
        var place = start
        while place >= 0 {
            let step = steps[place]
            let isMet =
                try step.test.isMet(by: value(in: step, reader))
                ?? Self.evaluated(parts[place] ?? predicate, reader, variables)
            place = isMet ? step.whenTrue : step.whenFalse
        }
        return place == Self.holds
    }

    private func value(in step: Step, _ reader: some SlotReading) -> SlotValue {
        if case .unknown = step.test.subject { return .other }
        return reader.value(in: step.slot)
    }

    private static func evaluated(
        _ part: NSPredicate, _ reader: some SlotReading, _ variables: [String: Any]
    ) throws -> Bool {
        try Evaluator(object: reader.evaluatedObject, variables: variables).holds(part)
    }
}
