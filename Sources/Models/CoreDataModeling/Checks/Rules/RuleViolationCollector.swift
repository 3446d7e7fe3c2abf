import CoreDataFoundation

/// Collects the findings of the rules that a model breaks.
///
/// The work is proportional to the size of the model; suggestions of names, which cost more, are bounded in number.
struct RuleViolationCollector {
    /// The names among which a similar one is suggested.
    enum Candidates {
        case entities
        case properties(of: Int)
        case names([String])
    }

    let scope: ModelScope
    let options: ModelCheckOptions
    private let isRelevant: @Sendable (ModelRule) -> Bool
    private(set) var findings: [ModelFinding] = []
    private var remainingSuggestions = 100
    private var remainingNames = 1_000_000

    init(_ scope: ModelScope, options: ModelCheckOptions, rules isRelevant: @escaping @Sendable (ModelRule) -> Bool) {
        self.scope = scope
        self.options = options
        self.isRelevant = isRelevant
    }

    var outline: ModelOutline { scope.outline }

    /// Reports that an entity, or the entire model, breaks a rule.
    mutating func report(
        _ rule: ModelRule, entity: ModelOutline.Entity?, message: @autoclosure () -> String,
        place: SourcePlace? = nil, hint: String? = nil
    ) {
        guard isRelevant(rule) else { return }
        findings.append(
            ModelFinding(
                rule: rule, message: message(), entity: entity?.name, property: nil, place: place ?? entity?.place,
                hint: hint))
    }

    /// Reports that a property breaks a rule.
    mutating func report(
        _ rule: ModelRule, entity: ModelOutline.Entity, property: ModelOutline.Property,
        message: @autoclosure () -> String, hint: String? = nil
    ) {
        guard isRelevant(rule) else { return }
        findings.append(
            ModelFinding(
                rule: rule, message: message(), entity: entity.name, property: property.name,
                place: property.place ?? entity.place, hint: hint))
    }

    mutating func add(_ faults: [ModelFinding]) { findings += faults.filter { isRelevant($0.rule) } }

    /// A hint that suggests the nearest names; nil if none is near, or if too many suggestions were made.
    mutating func suggestion(for name: String, among candidates: Candidates) -> String? {
        guard remainingSuggestions > 0, remainingNames > 0 else { return nil }
        let names: [String]
        switch candidates {
        case .entities: names = outline.entities.map(\.name)
        case .properties(let entity): names = scope.propertyNames(of: entity)
        case .names(let list): names = list
        }
        remainingSuggestions -= 1
        remainingNames -= names.count
        return NameSuggestion(for: name, in: names)?.question
    }

    /// Calls a function with every property that an entity declares.
    mutating func forEachProperty(
        _ body: (inout RuleViolationCollector, Int, ModelOutline.Entity, ModelOutline.Property) -> Void
    ) {
        for (number, entity) in outline.entities.enumerated() {
            for property in entity.properties { body(&self, number, entity, property) }
        }
    }
}
