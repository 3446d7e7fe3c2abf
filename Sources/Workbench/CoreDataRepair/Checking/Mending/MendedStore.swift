import CoreData

/// What mending did to a store.
package struct MendedStore: Sendable {
    /// The store that was mended: the given one, or its copy.
    package let url: URL
    /// What the store was before; nil where a copy was mended, or nothing had to be.
    package internal(set) var backup: URL?
    /// How much was done.
    package internal(set) var count = 0
    /// What could not be done, and why the history says nothing of it where it does not.
    package internal(set) var remarks: [String] = []
    /// The check of the mended store.
    package internal(set) var check: StoreCheckReport

    /// `{"path", "backup", "repaired", "remarks", "check"}`
    package var json: JSONValue {
        .object([
            ("path", .string(url.path)), ("backup", .text(backup?.path)), ("repaired", .count(count)),
            ("remarks", .array(remarks.map { .string($0) })), ("check", check.json),
        ])
    }
}
