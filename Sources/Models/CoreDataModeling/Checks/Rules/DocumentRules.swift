import CoreDataFoundation

/// Rules about the contents of the file.
package enum DocumentRules {
    static let unreadable = ModelRule(
        "unreadable-model", severity: .error, statement: "The file cannot be read as a model.",
        remedy: "Restore the file, or save it again with a model editor.", refusal: .always)
    static let malformedValue = ModelRule(
        "malformed-value", severity: .error,
        statement: "A value in the source is missing or has no form that is known.",
        remedy: "Correct the value, or set it again in a model editor.", refusal: .always)
    static let unknownType = ModelRule(
        "unknown-attribute-type", severity: .error, statement: "An attribute has a type that is not known.",
        remedy: "Choose one of the types of the model editor.", refusal: .always)

    static let unnamedVersion = ModelRule(
        "unnamed-current-version", severity: .warning,
        statement:
            "A package has several versions and no file that names the current one: that with the package's name is taken.",
        remedy: "Name the current version: 'coredata model versions PACKAGE --set-current NAME'.")

    static let subject = ModelRuleSubject(
        title: "Files", rules: [unreadable, malformedValue, unknownType, unnamedVersion],
        check: { checker in checker.add(checker.outline.faults) })

    /// The finding for a file that could not be read at all.
    package static func finding(for error: any Error) -> ModelFinding {
        let error = error as? ModelingError
        var finding = ModelFinding(rule: unreadable, message: error?.cause ?? "the file cannot be read")
        finding.place = error?.line.map { SourcePlace(line: $0, column: error?.column ?? 1) }
        finding.hint = error?.hint
        return finding
    }
}
