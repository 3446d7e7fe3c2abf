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

/// Relationships whose members live as long as they have an owner.
///
/// A relationship is owned when the model's user info gives it the key `Owned` with the value `YES`. An object that was
/// removed from such a relationship is deleted by the save, unless something else owns it by then: its inverse, or the
/// inverse of another owned relationship, is not empty. Without the key the object stays.
extension NSRelationshipDescription {
    /// The user-info key that marks a relationship as owning its members.
    public static let ownedUserInfoKey = "Owned"

    /// Whether an object that leaves the relationship is deleted by the save; stored in the user info.
    ///
    /// An owned relationship needs an inverse: without one it is not known which other objects refer to the object.
    public var isOwned: Bool { inverseRelationship != nil && isMarked(Self.ownedUserInfoKey) }
}
