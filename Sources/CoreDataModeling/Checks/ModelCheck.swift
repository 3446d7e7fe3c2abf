import CoreDataFoundation

/// What a check of a model may leave out or can know.
public struct ModelCheckOptions: Sendable {
    /// The identifiers of rules that are left out.
    public var disabled: Set<String> = []
    /// The names of all classes that entities may name; nil where they are not known, and then not checked.
    public var classes: Set<String>?
    /// The names of the application's value transformers; nil where they are not known, and then not checked.
    public var transformers: Set<String>?

    /// Makes options; without arguments every rule is checked for which nothing of the application need be known.
    public init(disabled: Set<String> = [], classes: Set<String>? = nil, transformers: Set<String>? = nil) {
        self.disabled = disabled
        self.classes = classes
        self.transformers = transformers
    }
}

/// Checks models against all rules and finds everything that is wrong at once.
///
/// May be used from any thread. Linear in the size of the model.
public enum ModelCheck {
    /// Checks the bytes of a source; what cannot be read at all is a finding too.
    public static func findings(source data: Data, options: ModelCheckOptions = .init()) -> [ModelFinding] {
        do {
            return findings(in: try ModelDocument(data), options: options)
        } catch {
            return unreadable(error, options)
        }
    }

    /// Checks a source; the findings are in the order of their places.
    package static func findings(in document: ModelDocument, options: ModelCheckOptions = .init()) -> [ModelFinding] {
        let reader = ModelSourceReader(document)
        var outline = ModelOutline(reader.assembly)
        outline.isUsedWithCloudKit = document.root["usedWithCloudKit"].map { $0 != "NO" && !$0.isEmpty } ?? false
        outline.faults = reader.faults.findings
        return findings(in: outline, options: options)
    }

    /// Checks a model that was read or made in code; there are no places.
    public static func findings(
        in model: NSManagedObjectModel, options: ModelCheckOptions = .init()
    ) -> [ModelFinding] {
        findings(in: ModelOutline(model), options: options)
    }

    private static func findings(in outline: ModelOutline, options: ModelCheckOptions) -> [ModelFinding] {
        let disabled = options.disabled
        var checker = ModelChecker(ModelScope(outline), options: options) { !disabled.contains($0.identifier) }
        for subject in ModelRules.subjects { subject.check(&checker) }
        let ordered = checker.findings.enumerated().sorted { left, right in
            place(left.element, left.offset) < place(right.element, right.offset)
        }
        return ordered.map(\.element)
    }

    private static func place(_ finding: ModelFinding, _ number: Int) -> (Int, Int, Int) {
        (finding.place?.line ?? .max, finding.place?.column ?? .max, number)
    }

    /// Why a model is refused when it is read; nil for one that is not.
    static func refusal(of outline: ModelOutline) -> ModelingError? {
        let isSource = outline.isSource
        var checker = ModelChecker(ModelScope(outline), options: .init()) { $0.refuses(source: isSource) }
        for subject in ModelRules.subjects where subject.canRefuse {
            subject.check(&checker)
            if let first = checker.findings.first { return first.refusal }
        }
        return nil
    }
}
