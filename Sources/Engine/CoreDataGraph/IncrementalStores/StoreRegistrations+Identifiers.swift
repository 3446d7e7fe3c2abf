import CoreDataStore

extension StoreRegistrations {
    /// The changes since the last call in their order, grouped: identifiers registered together, or unregistered
    /// together.
    func takeIdentifiers() -> [(isComing: Bool, identifiers: [NSManagedObjectID])] {
        var groups: [(isComing: Bool, identifiers: [NSManagedObjectID])] = []
        for entry in takeNews() {
            if groups.last?.isComing != entry.isComing { groups.append((entry.isComing, [])) }
            groups[groups.count - 1].identifiers.append(
                NSManagedObjectID(binding: entry.binding, key: entry.key, isTemporary: false))
        }
        return groups
    }
}
