import CoreDataModeling

/// The errors of the object graph, as the `NSError`s that Core Data documents.
package enum CoreDataError {
    /// Makes an error of `NSCocoaErrorDomain` with a description; `hint` says what to do about it, if that is known.
    package static func make(
        _ code: Int, _ description: String, reason: String? = nil, hint: String? = nil, underlying: (any Error)? = nil,
        userInfo: [String: Any] = [:]
    ) -> NSError {
        var info = userInfo
        info[NSLocalizedDescriptionKey] = description
        if let reason { info[NSLocalizedFailureReasonErrorKey] = reason }
        if let hint { info[NSLocalizedRecoverySuggestionErrorKey] = hint }
        if let underlying { info[NSUnderlyingErrorKey] = underlying as NSError }
        return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: info)
    }
}
