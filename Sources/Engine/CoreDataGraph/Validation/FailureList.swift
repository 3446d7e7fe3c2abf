import CoreDataStore

/// Collects the failures of a validation, and throws a single failure unchanged, or several in one error.
struct FailureList {
    private static let listed = 5

    private(set) var failures: [any Error] = []

    /// Adds a failure; if it combines several failures, adds each of them.
    mutating func add(_ failure: any Error) { failures += Self.parts(failure) }

    /// Runs a step and adds the error that it throws.
    mutating func collect(_ step: () throws -> Void) {
        do { try step() } catch { add(error) }
    }

    /// Throws the only failure unchanged, or an error of code 1560 with all failures; does nothing without failures.
    func throwAny() throws {
        guard let first = failures.first else { return }
        throw failures.count == 1 ? first : combined
    }

    private var combined: NSError {
        let errors = failures.map { $0 as NSError }
        let rest = errors.count > Self.listed ? ["And \(errors.count - Self.listed) more."] : []
        let own = CoreDataErrorTexts.text(NSValidationMultipleErrorsError)
        return CoreDataErrorTexts.error(
            NSValidationMultipleErrorsError, own ?? "Multiple validation errors occurred.",
            reason: own ?? (errors.prefix(Self.listed).map(\.localizedDescription) + rest).joined(separator: " "),
            hint: "Correct each of the \(errors.count) values, then save again.",
            userInfo: [NSDetailedErrorsKey: errors])
    }

    /// Returns the single failures of an error of code 1560, or the failure itself.
    private static func parts(_ failure: any Error) -> [any Error] {
        let error = failure as NSError
        guard error.domain == NSCocoaErrorDomain, error.code == NSValidationMultipleErrorsError,
            let details = error.userInfo[NSDetailedErrorsKey] as? [NSError], !details.isEmpty
        else { return [failure] }
        return details.flatMap(parts)
    }
}
