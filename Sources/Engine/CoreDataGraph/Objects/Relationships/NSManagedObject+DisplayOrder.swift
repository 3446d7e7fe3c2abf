import CoreDataStore

extension NSManagedObject {
    /// The members of a to-many relationship in the order in which lists show them.
    ///
    /// That is the relationship's own order if it is ordered; else its `displayOrder`, or the given one, and where that
    /// leaves objects equal, the order of their identifiers. So row i is the same object each time until something
    /// changes. Stops where the key is not a to-many relationship.
    public func displayedObjects(forKey key: String, by order: [NSSortDescriptor] = []) -> [NSManagedObject] {
        guard case .toMany(let number) = layout.places[key] else {
            stop("'\(key)' of entity '\(entity.name ?? "")' is no to-many relationship.")
        }
        let relationship = layout.toMany[number]
        let members = relatedObjects(number)
        if relationship.isOrdered, order.isEmpty { return members }
        let descriptors = order.isEmpty ? relationship.displayOrder : order
        return members.sorted { Self.precedes($0, second: $1, descriptors: descriptors) }
    }

    private static func precedes(
        _ first: NSManagedObject, second: NSManagedObject, descriptors: [NSSortDescriptor]
    ) -> Bool {
        for descriptor in descriptors {
            let order = descriptor.compare(first, to: second)
            if order != .orderedSame { return order == .orderedAscending }
        }
        // Saved objects come by entity and key, unsaved ones behind them as they were made.
        let places = [first, second].map { ($0.flags.contains(.temporary) ? 1 : 0, $0.layout.number, $0.key) }
        guard places[0].0 == places[1].0 else { return places[0].0 < places[1].0 }
        return places[0].1 == places[1].1 ? places[0].2 < places[1].2 : places[0].1 < places[1].1
    }
}
