import CoreDataStore

/// The numbers (`Z_ENT`) of a store's entities, and the hierarchies that they form.
///
/// Root entities are numbered in case-insensitive order of their names, each followed by its descendants depth first,
/// from 1 without gaps, including abstract entities. Entities outside the store's configuration have no number; as no
/// store with a configuration was available to verify this, the numbers that an existing store has recorded take
/// precedence.
struct EntityNumbering {
    /// The entities in the order of their numbers.
    let entities: [NSEntityDescription]
    private let numbers: [ObjectIdentifier: Int]

    /// Numbers the entities from 1, or as recorded by a store if the store has a distinct number for each of them.
    init(_ listed: [NSEntityDescription], recorded: [String: Int] = [:]) {
        let listedIDs = Set(listed.map(ObjectIdentifier.init))
        let order = NSManagedObjectModel.numbered(listed).filter { listedIDs.contains(ObjectIdentifier($0)) }
        let known = order.compactMap { entity in recorded[entity.name ?? ""].flatMap { $0 > 0 ? $0 : nil } }
        let isRecorded = known.count == order.count && Set(known).count == known.count
        let pairs = zip(order, isRecorded ? known : Array(1...max(order.count, 1))).sorted { $0.1 < $1.1 }
        entities = pairs.map(\.0)
        numbers = Dictionary(
            pairs.map { (ObjectIdentifier($0), $1) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the entity's number; nil if the store does not contain the entity.
    func number(of entity: NSEntityDescription?) -> Int? {
        entity.flatMap { numbers[ObjectIdentifier($0)] }
    }

    /// Returns the topmost ancestor that the store contains, whose table contains the complete hierarchy.
    func root(of entity: NSEntityDescription) -> NSEntityDescription {
        entity.lineage.first { number(of: $0) != nil } ?? entity
    }

    /// Whether the store contains subentities of the entity.
    func hasDescendants(_ entity: NSEntityDescription) -> Bool {
        entity.subentities.contains { number(of: $0) != nil }
    }

    /// Returns the numbers of the entity and its descendants, ascending.
    func family(of entity: NSEntityDescription) -> [Int] {
        var family: [Int] = []
        var seen = Set<ObjectIdentifier>()
        var open = [entity]
        while let next = open.popLast() {
            guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
            if let number = number(of: next) { family.append(number) }
            open += next.subentities
        }
        return family.sorted()
    }
}
