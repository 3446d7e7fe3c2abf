import CoreDataStore

/// The outcome of a readiness probe: whether each store can be used.
///
/// ``NSPersistentContainer/health(within:)`` asks them. No value of an attribute is in it, nor a password. This is not in
/// Apple's framework.
///
/// ```swift
/// let health = await container.health(within: .seconds(1))
/// if !health.isReady {
///     for store in health.stores where !store.isAnswering { print(store) }
/// }
/// ```
public struct CoreDataHealth: Sendable, CustomStringConvertible {
    /// What one store answered.
    public struct Store: Sendable, CustomStringConvertible {
        /// Where the store is, without what is secret in its URL; nil for a description without a place.
        public let url: URL?
        /// The store type, such as `NSSQLiteStoreType`.
        public let type: String
        /// The store's identity; nil for one that is not loaded.
        public let identifier: String?
        /// How long the answer took, or how long it was waited for.
        public let duration: Duration
        /// Why the store cannot be used, an error of `NSCocoaErrorDomain` most often; nil where it can.
        public let error: (any Error)?

        /// Whether the store can be used.
        public var isAnswering: Bool { error == nil }

        /// The store with its time, or with the reason for which it cannot be used.
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
