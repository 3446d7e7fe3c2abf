/// The renaming of a property, which finds the keys of key paths that refer to the property.
struct KeyRename {
    /// The properties of the model source before the renaming.
    let names: DocumentNames
    /// The entity or composite that declares the property.
    let owner: DocumentNames.Owner
    let from: String
    let to: String

    /// A key path with the new name, and the entity or composite it leads to; nil for a value or an unknown key.
    ///
    /// - Parameter start: the entity or composite of the first key; nil if unknown, then nothing is replaced.
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

    /// Whether a subentity of the given entity declares the property, so that only some of the entity's objects have
    /// it.
    private func isBelow(_ place: DocumentNames.Owner) -> Bool {
        guard case .entity(let entity) = place, case .entity(let declarer) = owner else { return false }
        return names.isKind(declarer, of: entity)
    }
}
