/// A predicate compiled for readers with certain slots: a list of conditions, each with the next step for either result.
///
/// Invariants:
/// 1. A step continues at a step before it in `steps`, or at one of the two ends: every run terminates.
/// 2. The conditions run in the order in which they are written, and none after the one that decides.
/// 3. The plan does not refer to its predicate, which retains the plan: a part that is nil is that predicate.
final class SlotPlan: @unchecked Sendable {
    /// A condition and the next steps; a trivial type, so that running the steps does not count references.
    struct Step {
        let slot: PlainSlot
        let test: SlotTest
        let whenTrue: Int
        let whenFalse: Int
    }

    /// The ends of a run.
    static let holds = -1
    static let fails = -2
    /// Minus the number of a step: the evaluator determines how that step continues.
    private static let undecided = -3

    let stamp: Int
    /// The plan of the same predicate that was made after this one.
    let next = LazyReference<SlotPlan>()
    /// The class of the readers.
    private let readerClass: any SlotReading.Type
    /// The class and those above it, as an existential refers to them.
    private let classes: ConstantTable<UInt>
    /// Whether the objects are found by the layout of existentials.
    private let readsLayout: Bool
    /// Owned memory rather than an array, whose every access would count a reference.
    let steps: UnsafeMutableBufferPointer<Step>
    /// The part of the predicate that each step stands for.
    private let parts: [NSPredicate?]
    private let texts: [TextTest.Bytes]
    private let start: Int
    /// Whether there are conditions that only the evaluator can determine, whatever the reader.
    private let needsEvaluator: Bool

    init(
        _ predicate: NSPredicate, for reader: some SlotReading, readsLayout: Bool = ExistentialLayout.isAsExpected
    ) {
        self.readsLayout = readsLayout
        stamp = reader.slotStamp
        readerClass = type(of: reader)
        classes = ConstantTable(
            sequence(first: type(of: reader) as AnyClass, next: _getSuperclass).map {
                UInt(bitPattern: ObjectIdentifier($0))
            })
        var maker = SlotPlanMaker(reader: reader)
        start = maker.append(PredicateNode(predicate), whenTrue: Self.holds, whenFalse: Self.fails)
        steps = .allocate(capacity: maker.steps.count)
        _ = steps.initialize(from: maker.steps)
        parts = maker.parts.map { $0 === predicate ? nil : $0 }
        texts = maker.texts
        needsEvaluator = maker.steps.contains { if case .unknown = $0.test.subject { true } else { false } }
    }

    deinit {
        steps.deinitialize()
        steps.deallocate()
        classes.deallocate()
        for text in texts { text.deallocate() }
    }

    /// Whether the predicate holds; conditions beyond slots are left to an evaluator, which is made on demand.
    func holds<Reader: SlotReading>(
        for reader: Reader, of predicate: NSPredicate, _ evaluator: (Any?) -> Evaluator
    ) throws -> Bool {
        var place = start
        while true {
            place = run(from: place, reader)
            guard place < Self.fails else { return place == Self.holds }
            let step = Self.undecided - place
            let isMet = try evaluator(reader.evaluatedObject).holds(parts[step] ?? predicate)
            place = isMet ? steps[step].whenTrue : steps[step].whenFalse
        }
    }

    /// What this plan or one behind it states about an object, and which of them it is.
    func answerInLine(for object: Any?, noting latest: borrowing LentReference<SlotPlan>) -> Bool? {
        guard let answer = answer(for: object) else {
            return next.lend { $0.answerInLine(for: object, noting: latest) }
        }
        latest.store(self)
        return answer
    }

    /// Whether the predicate holds for an object of any kind; nil unless the plan is for it and its slots suffice.
    func answer(for object: Any?) -> Bool? {
        guard !needsEvaluator, let object, let reference = reader(in: object) else { return nil }
        let place = run(reference, as: readerClass)
        return place < Self.fails ? nil : place == Self.holds
    }

    /// The object if it is a reader of the class, without a reference of its own.
    private func reader(in object: Any) -> UnsafeRawPointer? {
        let content =
            readsLayout ? ExistentialLayout.expected.content(of: object) : ExistentialLayout.content(opening: object)
        guard let reference = content.reference else { return nil }
        if content.type == classes[0] { return reference }
        guard classes.contains(content.type) else { return nil }
        let dynamicType: AnyClass = Swift.type(
            of: Unmanaged<AnyObject>.fromOpaque(reference).takeUnretainedValue())
        return ObjectIdentifier(dynamicType) == ObjectIdentifier(readerClass) ? reference : nil
    }

    /// Where the run of an object ends; it is lent by the caller.
    private func run<Reader: SlotReading>(_ reference: UnsafeRawPointer, as type: Reader.Type) -> Int {
        // `Unmanaged<Reader>` would look its metadata up at each call.
        let reader = unsafeBitCast(reference, to: Reader.self)
        return reader.slotStamp == stamp ? run(from: start, reader) : Self.undecided
    }

    /// Goes from step to step, to one of the two ends or to a step that the evaluator must be asked about.
    private func run<Reader: SlotReading>(from start: Int, _ reader: Reader) -> Int {
        var place = start
        while place >= 0 {
            let step = steps[place]
            if case .unknown = step.test.subject { return Self.undecided - place }
            guard let isMet = step.test.isMet(by: reader.value(in: step.slot)) else { return Self.undecided - place }
            place = isMet ? step.whenTrue : step.whenFalse
        }
        return place
    }
}
