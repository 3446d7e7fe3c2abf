import CoreDataStore

/// The order in which lists show the members of a relationship.
extension NSRelationshipDescription {
    /// The user info key of the order in which a relationship's members are shown: `name, -level`.
    public static let displayOrderUserInfoKey = "DisplayOrder"

    /// The order in which members are shown: sorted by the keys that the user info names; a minus sign before a key
    /// means descending.
    ///
    /// If the user info names no key, by the first of the attributes `name`, `title` and `displayName` that the
    /// destination entity has and stores.
    public var displayOrder: [NSSortDescriptor] {
        let declared = declaredOrder(forKey: Self.displayOrderUserInfoKey)
        guard declared.isEmpty else { return declared }
        let attributes = destinationEntity?.attributesByName ?? [:]
        let key = ["name", "title", "displayName"].first { attributes[$0]?.isTransient == false }
        return key.map { [NSSortDescriptor(key: $0, ascending: true)] } ?? []
    }
}

extension NSPropertyDescription {
    /// Returns the order that the user info contains under a key, in the form `name, -level`; empty if there is none.
    func declaredOrder(forKey userInfoKey: String) -> [NSSortDescriptor] {
        (userInfo?[userInfoKey] as? String ?? "").split(separator: ",").compactMap {
            let text = $0.trimmingCharacters(in: .whitespaces)
            let key = text.hasPrefix("-") ? String(text.dropFirst()) : text
            return key.isEmpty ? nil : NSSortDescriptor(key: key, ascending: key == text)
        }
    }

    /// Whether the value of a user info key is `YES`, `TRUE`, `1` (in any case) or a true Boolean.
    func isMarked(_ userInfoKey: String) -> Bool {
        guard let mark = userInfo?[userInfoKey] else { return false }
        if let flag = mark as? Bool { return flag }
        return (mark as? String).map { ["YES", "TRUE", "1"].contains($0.uppercased()) } ?? false
    }
}

/// Owned relationships: their members are deleted when they have no owner any more.
///
/// A relationship is owned if its user info has the key `Owned` with the value `YES`. A save deletes an object that was
/// removed from such a relationship, unless the object still has an owner: at the save, its inverse or the inverse of
/// another owned relationship is not empty. Members of other relationships are not deleted.
extension NSRelationshipDescription {
    /// The user-info key that marks a relationship as owning its members.
    public static let ownedUserInfoKey = "Owned"

    /// Whether a save deletes an object that was removed from the relationship and has no other owner; stored in the
    /// user info.
    ///
    /// False for a relationship without an inverse: the inverse shows which owners an object has.
    public var isOwned: Bool { inverseRelationship != nil && isMarked(Self.ownedUserInfoKey) }
}
