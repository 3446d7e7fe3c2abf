import CoreDataStore

/// What came of a request that a context or coordinator executed.
open class NSPersistentStoreResult: NSObject, @unchecked Sendable {}

/// What came of a fetch or save request that was executed as any other request.
final class PlainRequestResult: NSPersistentStoreResult, @unchecked Sendable {
    /// What the coordinator answered.
    let answer: Any

    init(_ answer: Any) { self.answer = answer }
}
