import CoreData

/// A store copied to another kind.
package struct StoreConversion {
    private let store: OpenStore
    private let type: NSPersistentStore.StoreType
    private let place: URL

    /// - Throws: `InspectionError` where the place is taken.
    package init(_ store: OpenStore, to type: NSPersistentStore.StoreType, at place: URL) throws {
        self.store = store
        self.type = type
        self.place = place
        try StorePlace.requireFree(place)
    }

    /// What the copy will not have, as sentences.
    package var losses: [String] {
        var losses = [
            "The objects get new identifiers, and the store a new identity: what refers to them from outside is void."
        ]
        if (try? HistoryPresence(store.facts, for: .editing))?.isOn == true {
            losses.append("The persistent history is not copied.")
        }
        let hasDecimals = store.entities.contains { entity in
            entity.attributesByName.values.contains { AttributeKind($0) == .decimal && !$0.isTransient }
        }
        if type == .sqlite, hasDecimals, store.store.capabilities.contains(.exactDecimals) {
            losses.append("Decimals of more than 15 digits are rounded to these.")
        }
        if store.facts.type == .sqlite, type != .sqlite {
            losses.append("Settings of the file, such as pragmas and indexes of its own, are not copied.")
        }
        return losses
    }

    /// Makes the copy, which is there whole or not at all; the store stays as it is, and is of no use to ask afterwards.
    ///
    /// `progress` is called now and then with the number of objects that are copied, and that of all.
    /// - Throws: `InspectionError`.
    package func run(progress: @escaping (Int, Int) -> Void = { _, _ in }) throws {
        do {
            _ = try store.context.performAndWait {
                try store.coordinator.migratePersistentStore(
                    store.store, to: place, options: nil, withType: type.rawValue, progress: progress)
            }
        } catch {
            throw InspectionError.unreadable(place, error)
        }
    }
}
