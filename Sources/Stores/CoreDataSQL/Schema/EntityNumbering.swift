import CoreDataStore

/// The numbers (`Z_ENT`) of a store's entities, and the trees they form.
///
/// Roots in case-insensitive order of their names, each followed depth first by its descendants, from 1 without gaps;
/// abstract entities count. Entities outside the store's configuration do not: this could not be verified, for lack of a
/// store with a configuration, so the numbers that an existing store records take precedence.
struct EntityNumbering {
    /// The entities in the order of their numbers.
    let entities: [NSEntityDescription]
    private let numbers: [ObjectIdentifier: Int]

    /// Numbers entities from 1, or as a store has recorded them if it has recorded a number of its own for each.
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

    /// The entity's number; nil where the store does not hold the entity.
    func number(of entity: NSEntityDescription?) -> Int? {
        entity.flatMap { numbers[ObjectIdentifier($0)] }
    }

    /// The topmost ancestor that the store contains: its table is that of the complete tree.
    func root(of entity: NSEntityDescription) -> NSEntityDescription {
        entity.lineage.first { number(of: $0) != nil } ?? entity
    }

    /// Whether the store holds entities that inherit from the entity.
    func hasDescendants(_ entity: NSEntityDescription) -> Bool {
        entity.subentities.contains { number(of: $0) != nil }
    }

    /// The numbers of the entity and its descendants, ascending.
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
