import CoreDataFoundation

extension NSEntityDescription {
    /// The entities that inherit from this one directly, by name.
    public var subentitiesByName: [String: NSEntityDescription] {
        frozen?.subentitiesByName ?? collectSubentitiesByName()
    }

    /// Whether the entity is the given one or inherits from it; constant time once the model has been used.
    public func isKindOf(entity: NSEntityDescription) -> Bool {
        if self === entity { return true }
        if let mine = frozen, let other = entity.frozen, mine.model === other.model {
            return mine.number >= other.number && mine.number <= other.lastDescendant
        }
        return lineage.contains { $0 === entity }
    }

    /// The root entity of the entity's inheritance.
    package var rootEntity: NSEntityDescription { lineage[0] }

    /// The entity's number in its frozen model, from 1, by which stores distinguish entities; 0 before freezing.
    ///
    /// Root entities are numbered in case-insensitive order of their names, each followed by its descendants.
    package var number: Int { frozen?.number ?? 0 }

    /// The numbers of the entity and all its descendants in the frozen model.
    package var descendantNumbers: ClosedRange<Int> { number...(frozen?.lastDescendant ?? number) }

    func collectSubentitiesByName() -> [String: NSEntityDescription] {
        let named = subentities.compactMap { entity in entity.name.map { ($0, entity) } }
        return Dictionary(named, uniquingKeysWith: { _, last in last })
    }
}
