import CoreData

extension PossessionStore {
    /// Takes over the possessions that an older version kept, all or none: a property list with an array, or with the
    /// array under the key `possessions`, of dictionaries with `name`, `value` and perhaps `image`; or a keyed archive of an
    /// array of objects with these keys.
    ///
    /// - Returns: how many there were.
    /// - Throws: `PossessionError.noPossessions` for a file that is damaged or something else; what `save()` throws.
    @discardableResult
    public func importPossessions(from url: URL) throws -> Int {
        let data = try Data(contentsOf: url)
        let refusal = PossessionError.noPossessions(url.lastPathComponent)
        guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil) else { throw refusal }
        let entries =
            ArchivedPossessions(list)?.entries ?? list as? [Any]
            ?? (list as? [String: Any])?["possessions"] as? [Any]
        guard let entries else { throw refusal }
        let found = try entries.map { entry in
            guard let possession = OldPossession(entry) else { throw refusal }
            return possession
        }
        let last = try possessions().last?.orderIndex ?? 0
        try step {
            for (number, old) in found.enumerated() {
                let possession = Possession(context: context)
                (possession.name, possession.value, possession.image) = (old.name, old.value, old.image)
                possession.orderIndex = last + Double(number + 1)
            }
        }
        return found.count
    }

    private struct OldPossession {
        let name: String
        let value: NSNumber?
        let image: Data?

        init?(_ entry: Any) {
            guard let entry = entry as? [String: Any], let name = entry["name"] as? String else { return nil }
            self.name = name
            switch entry["value"] {
            case nil: value = nil
            case let number as NSNumber: value = number
            case let text as String:
                guard let number = try? PossessionStore.number(text) else { return nil }
                value = number
            default: return nil
            }
            image = entry["image"] as? Data
        }
    }
}
