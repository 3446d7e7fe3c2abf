import CoreDataGraph

extension NSError {
    /// Whether a refusal says in one line what is wrong and where, and what to do.
    package var isClearRefusal: Bool {
        guard domain == NSCocoaErrorDomain else { return false }
        // A conflict has Apple's short description; its reason names the record.
        let text = code == NSManagedObjectMergeError ? localizedFailureReason ?? "" : localizedDescription
        return text.contains("/") && !text.contains("\n") && text.utf8.count < 2_000 && text.hasSuffix(".")
            && localizedRecoverySuggestion?.isEmpty == false
    }
}
