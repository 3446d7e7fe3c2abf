/// A predicate that combines other predicates: all of them hold, any of them, or the only one does not.
///
/// Immutable. Inherits from open-source Foundation's class of this name, which has no text and compares by identity.
/// That class's initializers cannot be replaced: in a source that also imports Foundation the type's name is ambiguous,
/// the initializers for AND, OR and NOT make this class, and `init(type:subpredicates:)` makes Foundation's. A type
/// alias in the module resolves the ambiguity; see `Docs/Porting.md`.
///
/// ```swift
/// let isCheap = NSPredicate(format: "price < %d", 10)
/// let isTea = NSPredicate(format: "name CONTAINS[c] %@", "tea")
/// request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [isCheap, isTea])
/// ```
public final class NSCompoundPredicate: Foundation.NSCompoundPredicate {
    /// The plans for objects with slots; made at the first use of the predicate.
    let plans = LazyReference<SlotPlanCache>()

    /// Has another signature than `init(type:subpredicates:)`, which as a designated initializer would make calls
    /// ambiguous.
    private init(_ type: LogicalType, _ parts: [NSPredicate]) {
        super.init(type: type, subpredicates: parts)
    }

    /// A predicate of a logical type; without subpredicates AND is true and OR is false.
    public override convenience init(type: LogicalType, subpredicates: [NSPredicate]) {
        self.init(type, subpredicates)
    }

    /// A predicate that holds where all parts do; with no parts it holds.
    public convenience init(andPredicateWithSubpredicates subpredicates: [NSPredicate]) {
        self.init(.and, subpredicates)
    }

    /// A predicate that holds where any part does; with no parts it does not hold.
    public convenience init(orPredicateWithSubpredicates subpredicates: [NSPredicate]) {
        self.init(.or, subpredicates)
    }

    /// A predicate that holds where another does not.
    public convenience init(notPredicateWithSubpredicate predicate: NSPredicate) {
        self.init(.not, [predicate])
    }

    /// The text of the predicate, which parses to an equal one.
    public override var predicateFormat: String { formatString }

    /// The text for messages and logs.
    public override var description: String { formatString }

    /// Whether the predicate holds; stops the process for an unknown key, as Apple's does.
    public override func evaluate(with object: Any?) -> Bool {
        evaluate(with: object, substitutionVariables: nil)
    }

    /// Whether the predicate holds with these variables; stops the process for an unknown key, as Apple's does.
    public override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        if let answer = SlotPlanCache.answer(plans, for: object) { return answer }
        var prepared = PreparedPredicate(self, SlotPlanCache.kept(in: plans), badPatterns: .reported)
        return orStop { try prepared.holds(forAny: object, variables: bindings ?? [:]) }
    }

    /// A copy with the same parts.
    public override func copy(with zone: NSZone? = nil) -> Any {
        NSCompoundPredicate(type: compoundPredicateType, subpredicates: subpredicates)
    }

    /// A copy with the same parts.
    public override func copy() -> Any { copy(with: nil) }

    /// Whether the other object is a predicate with an equal tree.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPredicate else { return false }
        return self === other || PredicateNode(self) == PredicateNode(other)
    }

    /// Equal objects have equal hashes.
    public override var hash: Int { formatString.hashValue }
}
