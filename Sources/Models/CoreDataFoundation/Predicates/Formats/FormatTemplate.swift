/// A parsed format string that waits for its arguments.
///
/// Immutable, so that threads can share it: predicates and expressions never change.
struct FormatTemplate: @unchecked Sendable {
    private let predicate: NSPredicate
    private let placeholders: [FormatPlaceholder]
    private let warnings: [String]
    private let argumentCount: Int
    /// The places of the arguments that are keys, which are part of the template.
    let keyPlaces: [Int]

    init(_ predicate: NSPredicate, _ arguments: PredicateArguments, warnings: [String]) {
        self.predicate = predicate
        self.warnings = warnings
        placeholders = arguments.placeholders
        argumentCount = arguments.number
        keyPlaces = arguments.keyPlaces
    }

    /// The predicate with arguments in their places; nil for arguments that only the parser can say something about.
    func predicate(with arguments: [Any?]) -> NSPredicate? {
        guard accepts(arguments) else { return nil }
        PredicateParser.report(warnings)
        return placeholders.isEmpty ? predicate : VariableSubstitution(arguments: arguments).applied(to: predicate)
    }

    private func accepts(_ arguments: [Any?]) -> Bool {
        arguments.count == argumentCount
            && placeholders.allSatisfy { $0.kind.accepts(FormatValue.constant(of: flattened(arguments[$0.place]))) }
    }
}
