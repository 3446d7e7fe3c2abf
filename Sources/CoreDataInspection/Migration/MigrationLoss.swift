import CoreData

/// Stored data that a migration would drop, with how much of it there is.
package struct MigrationLoss {
    package let item: ModelItem
    package let reason: String
    /// What would keep it; nil where nothing simple does.
    package let hint: String?
    /// The objects of an entity, or those that have a value or lead somewhere; nil where it could not be counted.
    package var count: Int?

    /// Whether something is there to be lost, as far as is known.
    package var isOfData: Bool { count != 0 }

    /// What there is of it in words: `12 objects`, `3 values`, `1 object with links`.
    package var amount: String {
        guard let count else { return "an unknown number" }
        let unit = item.kind == .attribute ? "value" : "object"
        let number = count == 1 ? "1 \(unit)" : "\(count) \(unit)s"
        return item.kind == .relationship ? number + " with links" : number
    }

    package var json: JSONValue {
        .object(
            item.members + [("reason", .string(reason)), ("hint", .text(hint)), ("count", .count(count))])
    }
}

/// Counts what a migration would drop.
struct MigrationLossCount {
    private let store: OpenStore
    private let matching: ModelMatching

    /// - Parameter store: opened with the version that it is of.
    init(_ store: OpenStore, from old: NSManagedObjectModel, to new: NSManagedObjectModel) {
        self.store = store
        matching = ModelMatching(old, new)
    }

    func counted(_ losses: [MigrationLoss]) -> [MigrationLoss] {
        losses.map { loss in
            var loss = loss
            loss.count = count(loss.item)
            return loss
        }
    }

    /// The objects of exactly these entities, by their names; without those that cannot be counted.
    func objects(of entities: Set<String>) -> [String: Int] {
        Dictionary(
            entities.compactMap { name in ownCount(name).map { (name, $0) } }, uniquingKeysWith: { first, _ in first })
    }

    private func count(_ item: ModelItem) -> Int? {
        guard item.kind != .entity else { return entity(of: item).flatMap(ownCount) }
        guard let owner = item.entity, let entity = try? store.entity(named: owner),
            let property = entity.propertiesByName[item.name]
        else { return nil }
        let isToMany = (property as? NSRelationshipDescription)?.isToMany ?? false
        let request = NSFetchRequest<NSManagedObject>(entityName: owner)
        request.predicate = NSPredicate(format: isToMany ? "%K.@count > 0" : "%K != nil", item.name)
        return count(request)
    }

    /// The entity of before: a finding names it as the model does that still has it.
    private func entity(of item: ModelItem) -> String? {
        if matching.removed.contains(where: { $0.name == item.name }) { return item.name }
        return matching.entities.first { $0.new.name == item.name }?.old.name
    }

    private func ownCount(_ entity: String) -> Int? {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.includesSubentities = false
        return count(request)
    }

    /// Nil where the store does not keep the entity or cannot answer: what is not known counts as lost.
    private func count(_ request: NSFetchRequest<NSManagedObject>) -> Int? {
        store.context.performAndWait { try? store.context.count(for: request) }
    }
}
