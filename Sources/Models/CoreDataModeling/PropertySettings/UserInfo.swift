import CoreDataFoundation
import Synchronization

/// The user info of a description: the one part of a model in use that can still be changed, so a lock guards it.
///
/// Apple's page of `NSPropertyDescription.userInfo` says that setting it raises for a model in use. Suites that pass on
/// Apple's systems set it all the same, of entities and of attributes after their store was added (Groot, Ensembles).
final class UserInfo: Sendable {
    /// Values of the author, who is responsible for their use by several threads.
    private struct Content: @unchecked Sendable {
        var values: [AnyHashable: Any]? = [:]
    }

    private let content = Mutex(Content())

    var values: [AnyHashable: Any]? {
        get { content.withLock { $0 }.values }
        set {
            let new = Content(values: newValue)
            content.withLock { $0 = new }
        }
    }
}
