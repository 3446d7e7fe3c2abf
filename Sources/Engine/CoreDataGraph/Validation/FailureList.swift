import CoreDataStore

/// The failures of a validation as they are found; thrown together, a single one as it is.
struct FailureList {
    private static let listed = 5

    private(set) var failures: [any Error] = []

    /// Adds a failure; for one that combines several, each of them.
    mutating func add(_ failure: any Error) { failures += Self.parts(failure) }

    /// Adds what a step throws.
    mutating func collect(_ step: () throws -> Void) {
        do { try step() } catch { add(error) }
    }

    /// Throws nothing, the one failure unchanged, or an error of code 1560 with all of them.
    func throwAny() throws {
        guard let first = failures.first else { return }
        throw failures.count == 1 ? first : combined
    }

    private var combined: NSError {
        let errors = failures.map { $0 as NSError }
        let rest = errors.count > Self.listed ? ["And \(errors.count - Self.listed) more."] : []
        let own = CoreDataErrorTexts.text(NSValidationMultipleErrorsError)
        return CoreDataError.make(
            NSValidationMultipleErrorsError, own ?? "Multiple validation errors occurred.",
            reason: own ?? (errors.prefix(Self.listed).map(\.localizedDescription) + rest).joined(separator: " "),
            hint: "Correct each of the \(errors.count) values, then save again.",
            userInfo: [NSDetailedErrorsKey: errors])
    }

    /// The single failures of one that may combine several, which only Core Data's own error does.
    private static func parts(_ failure: any Error) -> [any Error] {
        let error = failure as NSError
        guard error.domain == NSCocoaErrorDomain, error.code == NSValidationMultipleErrorsError,
            let details = error.userInfo[NSDetailedErrorsKey] as? [NSError], !details.isEmpty
        else { return [failure] }
        return details.flatMap(parts)
    }
}
