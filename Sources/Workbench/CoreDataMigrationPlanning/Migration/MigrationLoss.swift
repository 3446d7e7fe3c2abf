import CoreData

/// Stored data that a migration would drop, with how much of it there is.
package struct MigrationLoss {
    package let item: ModelItem
    package let reason: String
    /// How the data could be kept; nil if there is no simple way.
    package let hint: String?
    /// The number of objects of the entity, or of objects with a value of the attribute or a link of the relationship;
    /// nil if they could not be counted.
    package var count: Int?
    /// Whether the migration only rounds numbers to a type with fewer digits; `count` then counts the numbers that
    /// change.
    package var isRounding = false

    /// Whether the store has data to lose; true if the data could not be counted.
    package var isOfData: Bool { count != 0 }

    /// The count with its unit: `12 objects`, `3 values`, `1 object with links`.
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

    /// - Parameter store: the store, opened with its present version.
    init(_ store: OpenStore, from old: NSManagedObjectModel, to new: NSManagedObjectModel) {
        self.store = store
        matching = ModelMatching(old, new)
    }

    func counted(_ losses: [MigrationLoss]) -> [MigrationLoss] {
        losses.map { loss in
            var loss = loss
            loss.count = loss.isRounding ? roundedCount(loss.item) : count(loss.item)
            return loss
        }
    }

    /// The number of objects of each entity, without subentities; omits entities that cannot be counted.
    func objects(of entities: Set<String>) -> [String: Int] {
        Dictionary(
            entities.compactMap { name in ownCount(name).map { (name, $0) } }, uniquingKeysWith: { first, _ in first })
    }

    private func count(_ item: ModelItem) -> Int? {
        guard item.kind != .entity else { return entity(of: item).flatMap(ownCount) }
        guard let owner = item.entity, let entity = try? store.entity(named: owner),
            let name = item.name.split(separator: ".").first.map(String.init),
            let property = entity.propertiesByName[name]
        else { return nil }
        let isToMany = (property as? NSRelationshipDescription)?.isToMany ?? false
        let request = NSFetchRequest<NSManagedObject>(entityName: owner)
        request.predicate = NSPredicate(format: isToMany ? "%K.@count > 0" : "%K != nil", item.name)
        return count(request)
    }

    /// The number of objects with a number that rounding changes. Numbers out of range do not count: they refuse the
    /// migration.
    private func roundedCount(_ item: ModelItem) -> Int? {
        guard let owner = item.entity, let entity = try? store.entity(named: owner),
            let pair = matching.entities.first(where: { $0.old.name == owner }),
            let new = ModelMatching.properties(pair.old, pair.new).first(where: { $0.old.name == item.name })?.new
                as? NSAttributeDescription,
            let old = entity.attributesByName[item.name]
        else { return nil }
        let rounded = CompositeMatching.conversions(of: new, from: old).filter(\.conversion.rounds)
        let request = NSFetchRequest<NSManagedObject>(entityName: owner)
        request.predicate = NSPredicate(format: "%K != nil", item.name)
        return store.context.performAndWait {
            var count = 0
            do {
                try FetchedObjects<NSManagedObject>(store.context, request, batchSize: 1_000).enumerateObjects {
                    object in
                    let value = object.value(forKey: item.name)
                    let changes = rounded.contains { element in
                        let number = element.origin.path.reduce(value) { ($0 as? [String: Any])?[$1] } as? NSNumber
                        guard let number, let after = element.conversion.converted(number) else { return false }
                        return after.doubleValue != number.doubleValue
                    }
                    if changes { count += 1 }
                }
                return count
            } catch {
                return nil
            }
        }
    }

    /// The old name of an entity: findings name removed entities by the old model and others by the new model.
    private func entity(of item: ModelItem) -> String? {
        if matching.removed.contains(where: { $0.name == item.name }) { return item.name }
        return matching.entities.first { $0.new.name == item.name }?.old.name
    }

    private func ownCount(_ entity: String) -> Int? {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.includesSubentities = false
        return count(request)
    }

    /// Nil if the store does not contain the entity or the count fails; an unknown count is treated as a loss.
    private func count(_ request: NSFetchRequest<NSManagedObject>) -> Int? {
        store.context.performAndWait { try? store.context.count(for: request) }
    }
}
