import CoreDataStore

extension NSManagedObject {
    /// Returns the members of a to-many relationship in the order in which lists show them.
    ///
    /// Sorts the members by `order`. If it is empty, an ordered relationship keeps its own order, and another one is
    /// sorted by its `displayOrder`. Objects that compare as equal are in the order of their identifiers, so that row i
    /// is the same object each time until something changes. Stops if the key is not a to-many relationship.
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
        // Saved objects are sorted by entity and key; unsaved ones follow, by entity and in the order of their
        // creation.
        let places = [first, second].map { ($0.flags.contains(.temporary) ? 1 : 0, $0.layout.number, $0.key) }
        guard places[0].0 == places[1].0 else { return places[0].0 < places[1].0 }
        return places[0].1 == places[1].1 ? places[0].2 < places[1].2 : places[0].1 < places[1].1
    }
}
