/// A predicate compiled for readers with certain slots: a list of conditions, each with the next step for either
/// result.
///
/// Invariants:
/// 1. Each step continues at a step with a lower index in `steps` or at one of the two ends, so every run terminates.
/// 2. The conditions run in the order in which they are written; after the one that decides, none runs.
/// 3. The plan does not retain its predicate, which retains the plan: nil in `parts` stands for that predicate.
final class SlotPlan: @unchecked Sendable {
    /// A condition and the next steps. The type is trivial, so that running the steps does not retain or release
    /// anything.
    struct Step {
        let slot: PlainSlot
        let test: SlotTest
        let whenTrue: Int
        let whenFalse: Int
    }

    /// The ends of a run: the predicate is true or false.
    static let holds = -1
    static let fails = -2
    /// A run that ends at `undecided` minus a step's index needs the evaluator, which decides how that step continues.
    private static let undecided = -3

    let stamp: Int
    /// The plan of the same predicate that was made after this one.
    let next = LazyReference<SlotPlan>()
    /// The class of the readers.
    private let readerClass: any SlotReading.Type
    /// The reader class and its superclasses, as an existential refers to them.
    private let classes: ConstantTable<UInt>
    /// Whether objects are read from existentials by their memory layout rather than by a cast.
    private let readsLayout: Bool
    /// Allocated memory rather than an array, since each access to an array would retain and release it.
    let steps: UnsafeMutableBufferPointer<Step>
    /// The part of the predicate that each step evaluates.
    private let parts: [NSPredicate?]
    private let texts: [TextTest.Bytes]
    private let start: Int
    /// Whether the predicate has conditions that only the evaluator can decide, for every reader.
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

    /// Whether the predicate is true; an evaluator, made on demand, decides the conditions that the slots do not
    /// decide.
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

    /// Evaluates this plan and those linked after it until one applies to the object, and stores that plan in `latest`.
    func answerInLine(for object: Any?, noting latest: borrowing LentReference<SlotPlan>) -> Bool? {
        guard let answer = answer(for: object) else {
            return next.lend { $0.answerInLine(for: object, noting: latest) }
        }
        latest.store(self)
        return answer
    }

    /// Whether the predicate is true for an object; nil if the plan is for other objects or the slots do not suffice.
    func answer(for object: Any?) -> Bool? {
        guard !needsEvaluator, let object, let reference = reader(in: object) else { return nil }
        let place = run(reference, as: readerClass)
        return place < Self.fails ? nil : place == Self.holds
    }

    /// The object if it is a reader of the class, unretained.
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

    /// Runs the steps for an object, which the caller keeps alive, and returns where the run ends.
    private func run<Reader: SlotReading>(_ reference: UnsafeRawPointer, as type: Reader.Type) -> Int {
        // `Unmanaged<Reader>` would look its metadata up at each call.
        let reader = unsafeBitCast(reference, to: Reader.self)
        return reader.slotStamp == stamp ? run(from: start, reader) : Self.undecided
    }

    /// Runs the steps, up to one of the two ends or to a step that needs the evaluator.
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
