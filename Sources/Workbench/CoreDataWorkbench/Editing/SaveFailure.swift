import CoreData

/// Describes in one line why a save was refused: each reason with its code, and what to do.
package struct SaveFailure {
    private static let shown = 5

    private let errors: [NSError]
    /// The error as it was thrown.
    private let whole: any Error
    /// Returns the name of an object for messages; nil for none.
    private let naming: (NSManagedObject) -> String?

    /// - Parameter showsValues: Whether the text includes refused values. True if only the user who gave the values
    ///   sees the text; false if it is written to a file or is about values of others.
    package init(_ error: any Error, showsValues: Bool = true, naming: @escaping (NSManagedObject) -> String?) {
        whole = error
        errors = Self.parts(of: error as NSError).map { Self.shortened($0, showsValues) }
        self.naming = naming
    }

    /// The detailed errors of an error, or the error itself.
    private static func parts(of error: NSError) -> [NSError] {
        (error.userInfo[NSDetailedErrorsKey] as? [NSError])?.flatMap(parts) ?? [error]
    }

    /// Reduces the error of a validation rule to its description and the refused value: its failure reason repeats the
    /// rule, and one hint is given for all errors.
    private static func shortened(_ error: NSError, _ showsValues: Bool) -> NSError {
        guard error.domain == NSCocoaErrorDomain, (1550...1699).contains(error.code) else { return error }
        let further = [NSLocalizedFailureReasonErrorKey, NSLocalizedRecoverySuggestionErrorKey]
        var info = error.userInfo.filter { !further.contains($0.key) }
        if showsValues { info[NSLocalizedFailureReasonErrorKey] = RefusedValue.sentence(error) }
        return NSError(domain: error.domain, code: error.code, userInfo: info)
    }

    /// The error for who works with the store at a URL; a cancellation stays what it is.
    package func error(at url: URL) -> any Error {
        if whole is CancellationError { return whole }
        return InspectionError(
            .badValue, subject: url.place, cause: "not saved: " + text, hint: hint,
            log: ErrorDetail.logOfSeveral(whole, naming: naming))
    }

    /// The first reasons, in one line.
    package var text: String {
        var lines = errors.map(line).sorted(by: Self.precedes).prefix(Self.shown).map(\.self)
        if errors.count > Self.shown { lines.append("And \(errors.count - Self.shown) more.") }
        return lines.joined(separator: " ")
    }

    private func line(_ error: NSError) -> String {
        let place = (error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject).flatMap(naming)
        let text = ErrorText.line(for: Self.withoutAdviceToPrograms(error))
        // The text already has the code if the catalog has an entry for it.
        let reference = ErrorEntry.of(error) == nil ? " [\(error.code)]" : ""
        return "\(place.map { "\($0): " } ?? "")\(text)\(reference)"
    }

    /// Whether a line comes before another; numbers within lines are compared by value.
    private static func precedes(_ one: String, _ other: String) -> Bool {
        one.compare(other, options: .numeric) == .orderedAscending
    }

    /// Removes the recovery suggestion of a merge conflict, which is for programs and not for users at a terminal.
    private static func withoutAdviceToPrograms(_ error: NSError) -> NSError {
        guard error.code == NSManagedObjectMergeError else { return error }
        let info = error.userInfo.filter { $0.key != NSLocalizedRecoverySuggestionErrorKey }
        return NSError(domain: error.domain, code: error.code, userInfo: info)
    }

    private var hint: String? {
        if errors.first?.code == NSManagedObjectMergeError {
            return "nothing was changed; look at the objects again and run the command once more"
        }
        // An error with a recovery suggestion of its own needs no further hint.
        guard let first = errors.first, first.userInfo[NSLocalizedRecoverySuggestionErrorKey] == nil else { return nil }
        switch first.code {
        case NSValidationMissingMandatoryPropertyError: return "nothing was changed; give the value that is missing"
        case NSValidationRelationshipDeniedDeleteError:
            return "nothing was deleted; delete what the relationship leads to first, or lead it elsewhere"
        case 1551...1699: return "nothing was changed; give values that the model allows"
        case NSManagedObjectConstraintMergeError: return "nothing was changed; change the object that has the value"
        default: return nil
        }
    }
}
