import CoreDataStore

/// Refuses a store whose model version differs from the model.
package struct VersionCheck {
    private let request: OpeningRequest

    package init(_ request: OpeningRequest) { self.request = request }

    /// - Throws: `NSPersistentStoreIncompatibleVersionHashError` with the names of the entities that differ.
    package func check(_ metadata: [String: Any]) throws {
        guard request.options[NSIgnorePersistentStoreVersioningOption] as? Bool != true else { return }
        let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        let agreement = request.layouts.model.agreement(with: stored, configuration: request.configuration)
        guard !agreement.differing.isEmpty else { return }
        let names = agreement.differing.prefix(20).map { name, difference in
            switch difference {
            case .changed: name
            case .missingInModel: "\(name) (only in the store)"
            case .missingInStore: "\(name) (only in the model)"
            }
        }
        let reason = "The model used to open the store is incompatible with the one used to create the store"
        throw CoreDataError.make(
            NSPersistentStoreIncompatibleVersionHashError,
            "\(reason): '\(request.url.path)'. These entities differ: \(names.joined(separator: ", ")).",
            reason: reason,
            hint: "Open the store with the version of the model that it was made with, or migrate it.",
            userInfo: [
                "metadata": metadata, "reason": reason, "entities": agreement.differing.map(\.entity),
                NSFilePathErrorKey: request.url.path,
            ])
    }
}
