import CoreDataStore

/// The outcome of a readiness probe: whether each store can be used.
///
/// Returned by ``NSPersistentContainer/health(within:)``. It contains no attribute values and no passwords. This is not
/// in Apple's framework.
///
/// ```swift
/// let health = await container.health(within: .seconds(1))
/// if !health.isReady {
///     for store in health.stores where !store.isAnswering { print(store) }
/// }
/// ```
public struct CoreDataHealth: Sendable, CustomStringConvertible {
    /// The outcome for one store.
    public struct Store: Sendable, CustomStringConvertible {
        /// The URL of the store without passwords and other secrets; nil for a description without a URL.
        public let url: URL?
        /// The store type, such as `NSSQLiteStoreType`.
        public let type: String
        /// The store's UUID; nil for one that is not loaded.
        public let identifier: String?
        /// The duration of the probe, or of the wait for its answer.
        public let duration: Duration
        /// Why the store cannot be used, usually an error of `NSCocoaErrorDomain`; nil if it can.
        public let error: (any Error)?

        /// Whether the store can be used.
        public var isAnswering: Bool { error == nil }

        /// The store's URL, the duration, and, if the store cannot be used, the reason.
        public var description: String {
            let place = url.map { $0.isFileURL ? $0.path : $0.absoluteString } ?? type
            let milliseconds = Int((duration / .milliseconds(1)).rounded())
            return "\(place): \(error.map(\.localizedDescription) ?? "answers") (\(milliseconds) ms)"
        }
    }

    /// The stores in the order in which they were added, then those that could not be loaded.
    public let stores: [Store]

    /// Whether there is a store and all of them can be used.
    public var isReady: Bool { !stores.isEmpty && stores.allSatisfy(\.isAnswering) }

    /// A line for each store.
    public var description: String { stores.map(\.description).joined(separator: "\n") }
}
