import CoreData

/// The result of repairing a store.
package struct RepairedStore: Sendable {
    /// The repaired store: the given one, or its copy if `StoreRepair` has a place for one.
    package let url: URL
    /// The backup of the store from before the repair; nil if a copy was repaired, or if there was nothing to repair.
    package internal(set) var backup: URL?
    /// The number of repaired findings.
    package internal(set) var count = 0
    /// Why the persistent history does not record the repair, if the store's history cannot.
    package internal(set) var remarks: [String] = []
    /// The report of the check after the repair.
    package internal(set) var check: StoreCheckReport

    /// `{"path", "backup", "repaired", "remarks", "check"}`
    package var json: JSONValue {
        .object([
            ("path", .string(url.path)), ("backup", .text(backup?.path)), ("repaired", .count(count)),
            ("remarks", .array(remarks.map { .string($0) })), ("check", check.json),
        ])
    }
}
