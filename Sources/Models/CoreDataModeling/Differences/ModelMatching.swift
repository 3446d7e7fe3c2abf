import CoreDataFoundation

/// Matches entities and properties of an old model with those of a new one.
///
/// As in Apple's guide to lightweight migration, the renaming identifier is a canonical name: two items match if their
/// identifiers are equal, where the name takes the place of a missing identifier. Items left over are matched by the
/// identifier of the new and the name of the old item, and finally by name.
package struct ModelMatching {
    /// The matched entities, in the order of the new names.
    package let entities: [(old: NSEntityDescription, new: NSEntityDescription)]
    package let removed: [NSEntityDescription]
    package let added: [NSEntityDescription]
    private let oldByNew: [ObjectIdentifier: NSEntityDescription]
    private let newByOld: [ObjectIdentifier: NSEntityDescription]

    package init(_ old: NSManagedObjectModel, _ new: NSManagedObjectModel) {
        let pairs = Self.pairs(
            old.entities.filter { $0.name != nil }, new.entities.filter { $0.name != nil }, name: { $0.name ?? "" },
            identifier: \.declaredRenamingIdentifier)
        oldByNew = Dictionary(
            pairs.map { (ObjectIdentifier($0.new), $0.old) }, uniquingKeysWith: { first, _ in first })
        newByOld = Dictionary(
            pairs.map { (ObjectIdentifier($0.old), $0.new) }, uniquingKeysWith: { first, _ in first })
        entities = pairs
        let (oldByNew, newByOld) = (oldByNew, newByOld)
        removed = Self.sorted(old.entities.filter { newByOld[ObjectIdentifier($0)] == nil }) { $0.name ?? "" }
        added = Self.sorted(new.entities.filter { oldByNew[ObjectIdentifier($0)] == nil }) { $0.name ?? "" }
    }

    package func old(of entity: NSEntityDescription?) -> NSEntityDescription? {
        entity.flatMap { oldByNew[ObjectIdentifier($0)] }
    }

    package func new(of entity: NSEntityDescription?) -> NSEntityDescription? {
        entity.flatMap { newByOld[ObjectIdentifier($0)] }
    }

    /// The matched properties of two entities, inherited ones included; only properties of the same kind match.
    package static func properties(
        _ old: NSEntityDescription, _ new: NSEntityDescription
    ) -> [(old: NSPropertyDescription, new: NSPropertyDescription)] {
        let kinds: [(NSPropertyDescription) -> Bool] = [
            { $0 is NSAttributeDescription }, { $0 is NSRelationshipDescription },
            { $0 is NSFetchedPropertyDescription },
        ]
        return kinds.flatMap { kind in
            pairs(
                old.properties.filter(kind), new.properties.filter(kind), name: \.name,
                identifier: \.declaredRenamingIdentifier)
        }
    }

    /// Matches items by identifier, then by new identifier and old name, then by name; each item once.
    static func pairs<Item: AnyObject>(
        _ old: [Item], _ new: [Item], name: @escaping (Item) -> String, identifier: @escaping (Item) -> String?
    ) -> [(old: Item, new: Item)] {
        let rounds: [(old: (Item) -> String, new: (Item) -> String?)] = [
            ({ identifier($0) ?? name($0) }, { identifier($0) ?? name($0) }), (name, identifier), (name, name),
        ]
        var found: [(old: Item, new: Item)] = []
        var (left, open) = (sorted(old, by: name), sorted(new, by: name))
        for round in rounds {
            var free = Dictionary(left.map { (round.old($0), $0) }, uniquingKeysWith: { first, _ in first })
            var used = Set<ObjectIdentifier>()
            open = open.filter { item in
                guard let key = round.new(item), let partner = free.removeValue(forKey: key) else { return true }
                used.insert(ObjectIdentifier(partner))
                found.append((partner, item))
                return false
            }
            left = left.filter { !used.contains(ObjectIdentifier($0)) }
        }
        return found.sorted { name($0.new).precedesInBytes(name($1.new)) }
    }

    private static func sorted<Item>(_ items: [Item], by name: (Item) -> String) -> [Item] {
        items.sorted { name($0).precedesInBytes(name($1)) }
    }
}
