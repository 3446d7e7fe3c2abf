/// A parsed format string with placeholders for its arguments.
///
/// Immutable, so that threads can share it: predicates and expressions are immutable.
struct FormatTemplate: @unchecked Sendable {
    private let predicate: NSPredicate
    private let placeholders: [FormatPlaceholder]
    private let warnings: [String]
    private let argumentCount: Int
    /// The positions of the arguments that are keys; the keys themselves are part of the template.
    let keyPlaces: [Int]

    init(_ predicate: NSPredicate, _ arguments: PredicateArguments, warnings: [String]) {
        self.predicate = predicate
        self.warnings = warnings
        placeholders = arguments.placeholders
        argumentCount = arguments.number
        keyPlaces = arguments.keyPlaces
    }

    /// The predicate with the arguments in place of the placeholders; nil for arguments that the parser must handle.
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
