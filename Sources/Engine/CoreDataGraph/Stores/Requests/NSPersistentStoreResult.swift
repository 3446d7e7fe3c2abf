import CoreDataStore

/// The result of a request that a context or coordinator executed.
open class NSPersistentStoreResult: NSObject, @unchecked Sendable {}

/// The result of a fetch or save request that was executed with `execute(_:)`.
final class PlainRequestResult: NSPersistentStoreResult, @unchecked Sendable {
    /// The coordinator's answer.
    let answer: Any

    init(_ answer: Any) { self.answer = answer }
}
