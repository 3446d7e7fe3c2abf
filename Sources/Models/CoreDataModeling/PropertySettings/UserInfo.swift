import CoreDataFoundation
import Synchronization

/// The user info of a description. A lock guards it, since it is the only part of a model in use that can be changed.
///
/// According to Apple's page of `NSPropertyDescription.userInfo`, setting it for a model in use raises an exception.
/// But test suites that pass on Apple's systems set it for entities and attributes after their store was added (Groot,
/// Ensembles).
final class UserInfo: Sendable {
    /// Sendable because the author of the values is responsible for their use by several threads.
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
