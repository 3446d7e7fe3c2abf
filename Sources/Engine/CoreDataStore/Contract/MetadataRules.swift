import CoreDataModeling

/// Which entries of a store's metadata a program may change: those with keys of its own and with values that a property
/// list can hold.
package enum MetadataRules {
    /// The keys that belong to the store; setting metadata neither removes nor changes them.
    package static let storeKeys: Set<String> = [
        NSStoreTypeKey, NSStoreUUIDKey, NSStoreModelVersionHashesKey, NSStoreModelVersionIdentifiersKey,
        NSPersistentStoreOSCompatibility, NSPersistentStoreModelVersionChecksumKey, "NSStoreModelVersionHashesVersion",
        "NSStoreModelVersionHashesDigest", "NSPersistenceFrameworkVersion", "_NSAutoVacuumLevel",
        NSPersistentStoreDeferredLightweightMigrationOptionKey, copiedKeys,
    ]

    /// The key of an entry of the store, written when the store is made as a copy: it maps records of the original
    /// stores to records of this one.
    package static let copiedKeys = "OpenCoreDataCopiedKeys"

    /// Entries with the program's keys from `given`, and entries with the store's keys from `present`.
    package static func merged(_ given: [String: Any], keeping present: [String: Any]) -> [String: Any] {
        ownKeys(of: given).merging(present.filter { storeKeys.contains($0.key) }) { _, stores in stores }
    }

    /// The metadata that a save writes: the program's entries of `entries`, the store's entries of `present` (those in
    /// the file), and the entry for copied records of `saved`.
    package static func written(
        _ entries: [String: Any], of saved: [String: Any], keeping present: [String: Any]
    ) -> [String: Any] {
        merged(entries, keeping: present.merging(saved.filter { $0.key == copiedKeys }) { _, copied in copied })
    }

    /// The entries that belong to the program.
    package static func ownKeys(of metadata: [String: Any]) -> [String: Any] {
        metadata.filter { !storeKeys.contains($0.key) }
    }

    /// Whether two dictionaries of property lists have the same entries.
    package static func areEqual(_ one: [String: Any], _ other: [String: Any]) -> Bool {
        (one as NSDictionary).isEqual(to: other)
    }

    /// Applies a change to `others`: entries that differ between `former` and `present` are set or removed as in
    /// `present`; all other entries stay.
    package static func changes(
        from former: [String: Any], to present: [String: Any], appliedTo others: [String: Any]
    ) -> [String: Any] {
        var result = others
        for key in Set(former.keys).union(present.keys) {
            func entry(_ metadata: [String: Any]) -> [String: Any] { metadata[key].map { [key: $0] } ?? [:] }
            if !areEqual(entry(former), entry(present)) { result[key] = present[key] }
        }
        return result
    }

    /// Checks that a property list can hold every value of the metadata.
    ///
    /// - Throws: `NSPersistentStoreSaveError` naming the key, never the value.
    package static func check(_ metadata: [String: Any], of place: String) throws {
        for (key, value) in metadata.sorted(by: { $0.key < $1.key })
        where !PropertyListSerialization.propertyList([key: value], isValidFor: .binary) {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The metadata of the store '\(place)' cannot be written: the value of '\(key)' is a "
                    + "\(type(of: value)), which a property list cannot hold.",
                hint: "Use strings, numbers, dates, data, and arrays and dictionaries of them.")
        }
    }
}
