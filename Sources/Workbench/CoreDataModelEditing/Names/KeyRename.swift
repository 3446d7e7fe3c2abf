/// Another name for a property, and which keys in texts mean it.
struct KeyRename {
    /// What the source declared before.
    let names: DocumentNames
    /// What declares the property.
    let owner: DocumentNames.Owner
    let from: String
    let to: String

    /// A path of keys with the new name, and where it leads.
    func followed(
        _ path: String, from start: DocumentNames.Owner?
    ) -> (path: String, target: DocumentNames.Owner?) {
        var place = start
        let keys = path.split(separator: ".", omittingEmptySubsequences: false).map { part -> String in
            let key = String(part)
            guard let here = place, !key.hasPrefix("@"), key.lowercased() != "self" else { return key }
            if let (declarer, property) = names.property(key, of: here) {
                place = property.target
                return key == from && declarer == owner ? to : key
            }
            place = nil
            return key == from && isBelow(here) ? to : key
        }
        return (keys.joined(separator: "."), place)
    }

    /// Whether the property is one that only some objects of the entity have.
    private func isBelow(_ place: DocumentNames.Owner) -> Bool {
        guard case .entity(let entity) = place, case .entity(let declarer) = owner else { return false }
        return names.isKind(declarer, of: entity)
    }
}
