import CoreDataStore

/// The order in which the members of a relationship are shown, the same for every reader of it.
extension NSRelationshipDescription {
    /// The user-info key under which a model says in which order members are shown: `name, -level`.
    public static let displayOrderUserInfoKey = "DisplayOrder"

    /// The order in which members are shown: by the keys that the user info names, each descending behind a minus sign.
    ///
    /// Where it names none, by the first of the keys `name`, `title` and `displayName` that the destination has.
    public var displayOrder: [NSSortDescriptor] {
        let declared = declaredOrder(forKey: Self.displayOrderUserInfoKey)
        guard declared.isEmpty else { return declared }
        let attributes = destinationEntity?.attributesByName ?? [:]
        let key = ["name", "title", "displayName"].first { attributes[$0]?.isTransient == false }
        return key.map { [NSSortDescriptor(key: $0, ascending: true)] } ?? []
    }
}

extension NSPropertyDescription {
    /// The order that the user info states under a key as `name, -level`; empty where it states none.
    func declaredOrder(forKey userInfoKey: String) -> [NSSortDescriptor] {
        (userInfo?[userInfoKey] as? String ?? "").split(separator: ",").compactMap {
            let text = $0.trimmingCharacters(in: .whitespaces)
            let key = text.hasPrefix("-") ? String(text.dropFirst()) : text
            return key.isEmpty ? nil : NSSortDescriptor(key: key, ascending: key == text)
        }
    }

    /// Whether the user info gives a key the value `YES`, or another word or number for it.
    func isMarked(_ userInfoKey: String) -> Bool {
        guard let mark = userInfo?[userInfoKey] else { return false }
        if let flag = mark as? Bool { return flag }
        return (mark as? String).map { ["YES", "TRUE", "1"].contains($0.uppercased()) } ?? false
    }
}

extension NSManagedObject {
    /// The members of a to-many relationship in the order in which lists show them.
    ///
    /// That is the relationship's own order if it is ordered; else its `displayOrder`, or the given one, and where that
    /// leaves objects equal, the order of their identifiers. So row i is the same object each time until something
    /// changes. Stops where the key is no to-many relationship.
    public func displayedObjects(forKey key: String, by order: [NSSortDescriptor] = []) -> [NSManagedObject] {
        guard case .toMany(let number) = layout.places[key] else {
            stop("'\(key)' of entity '\(entity.name ?? "")' is no to-many relationship.")
        }
        let relationship = layout.toMany[number]
        let members = relatedObjects(number)
        if relationship.isOrdered, order.isEmpty { return members }
        let descriptors = order.isEmpty ? relationship.displayOrder : order
        return members.sorted { Self.precedes($0, $1, descriptors) }
    }

    private static func precedes(
        _ first: NSManagedObject, _ second: NSManagedObject, _ descriptors: [NSSortDescriptor]
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
