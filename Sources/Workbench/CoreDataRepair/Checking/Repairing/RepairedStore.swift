import CoreData

/// The result of repairing a store.
package struct RepairedStore: Sendable {
    /// The store that was repaired: the given one, or its copy.
    package let url: URL
    /// The backup of the store; nil where a copy was repaired, or no repair was necessary.
    package internal(set) var backup: URL?
    /// How much was done.
    package internal(set) var count = 0
    /// What could not be done, and why the history says nothing of it where it does not.
    package internal(set) var remarks: [String] = []
    /// The check of the repaired store.
    package internal(set) var check: StoreCheckReport

    /// `{"path", "backup", "repaired", "remarks", "check"}`
    package var json: JSONValue {
        .object([
            ("path", .string(url.path)), ("backup", .text(backup?.path)), ("repaired", .count(count)),
            ("remarks", .array(remarks.map { .string($0) })), ("check", check.json),
        ])
    }
}
