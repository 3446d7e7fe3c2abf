import CoreDataGraph

extension NSError {
    /// Whether the error states the problem and its place in one line, and has a recovery suggestion.
    package var isClearRefusal: Bool {
        guard domain == NSCocoaErrorDomain else { return false }
        // The description of a merge conflict is Apple's short text; its failure reason names the record.
        let text = code == NSManagedObjectMergeError ? localizedFailureReason ?? "" : localizedDescription
        return text.contains("/") && !text.contains("\n") && text.utf8.count < 2_000 && text.hasSuffix(".")
            && localizedRecoverySuggestion?.isEmpty == false
    }
}
