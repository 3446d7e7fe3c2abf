import CoreDataFoundation

/// Checks models against all rules and returns all findings at once.
///
/// May be used from any thread. Linear in the size of the model.
///
/// ```swift
/// for finding in ModelCheck.findings(in: model) { print(finding) }
/// ```
public enum ModelCheck {
    /// Checks a model that was read or made in code; the findings have no positions in a source.
    public static func findings(
        in model: NSManagedObjectModel, options: ModelCheckOptions = .init()
    ) -> [ModelFinding] {
        findings(in: ModelOutline(model), options: options)
    }

    /// Checks the outline of a model, which need not be linked.
    static func findings(in outline: ModelOutline, options: ModelCheckOptions) -> [ModelFinding] {
        let disabled = options.disabled
        var checker = RuleViolationCollector(ModelScope(outline), options: options) {
            !disabled.contains($0.identifier)
        }
        for subject in ModelRuleCatalog.subjects { subject.check(&checker) }
        let ordered = checker.findings.enumerated().sorted { left, right in
            place(left.element, left.offset) < place(right.element, right.offset)
        }
        return ordered.map(\.element)
    }

    private static func place(_ finding: ModelFinding, _ number: Int) -> (Int, Int, Int) {
        (finding.place?.line ?? .max, finding.place?.column ?? .max, number)
    }

    /// The error for which a reader refuses a model; nil if the model is accepted.
    static func refusal(of outline: ModelOutline) -> ModelingError? {
        let isSource = outline.isSource
        var checker = RuleViolationCollector(ModelScope(outline), options: .init()) { $0.refuses(source: isSource) }
        for subject in ModelRuleCatalog.subjects where subject.canRefuse {
            subject.check(&checker)
            if let first = checker.findings.first { return first.refusal }
        }
        return nil
    }
}
