import CoreDataGraph

/// Compares the digests of a store before and after a migration, by entity and by property.
package struct MigrationComparison {
    /// The names of an entity and the numbers of its objects; nil for the model that does not have the entity.
    package struct EntityRow: Sendable {
        package let old: String?
        package let new: String?
        package let before: Int?
        package let after: Int?
        /// Whether the numbers are as expected: equal for a kept entity, 0 for a new one, any for a removed one.
        package let agrees: Bool
    }

    /// The numbers of values of an attribute or of an element of a composite attribute, or of links of a relationship.
    package struct PropertyRow: Sendable {
        /// The new name of the entity.
        package let entity: String
        /// The name before, with the path to an element; nil for an element that is new.
        package let old: String?
        /// The new name; nil for an element whose values are dropped.
        package let new: String?
        package let isRelationship: Bool
        package let before: Int
        package let after: Int
        /// Whether the values are the same before and after; those of the same objects if objects keep their keys.
        package let agrees: Bool

        /// The new name, or the former one if it is nil.
        package var name: String { new ?? old ?? "" }
    }

    package let entities: [EntityRow]
    package let properties: [PropertyRow]
    /// Whether the migration must keep everything that has a counterpart; false if a mapping model decides what it
    /// keeps.
    package let isExact: Bool

    package init(_ before: StoreDigest, after: StoreDigest, counterparts: MigrationCounterparts) {
        isExact = counterparts.keeping != .whatItSays
        let kept = counterparts.entities.map { entity -> EntityRow in
            let (was, now) = (before.objects[entity.old] ?? 0, after.objects[entity.new] ?? 0)
            return EntityRow(old: entity.old, new: entity.new, before: was, after: now, agrees: was == now)
        }
        let dropped = counterparts.dropped.map {
            EntityRow(old: $0, new: nil, before: before.objects[$0] ?? 0, after: nil, agrees: true)
        }
        let added = counterparts.added.map { name -> EntityRow in
            let now = after.objects[name] ?? 0
            return EntityRow(old: nil, new: name, before: nil, after: now, agrees: now == 0)
        }
        entities = kept + dropped + added
        properties = counterparts.entities.flatMap { entity -> [PropertyRow] in
            let attributes = entity.attributes.map { attribute -> PropertyRow in
                let name = attribute.digestName
                let (was, now) = (before.sum(entity.new, name), after.sum(entity.new, name))
                return PropertyRow(
                    entity: entity.new, old: attribute.old, new: attribute.new, isRelationship: false,
                    before: was.count, after: now.count,
                    agrees: attribute.old == nil || attribute.new == nil || was == now)
            }
            let relationships = entity.relationships.map { relationship -> PropertyRow in
                let (was, now) = (before.sum(entity.new, relationship.new), after.sum(entity.new, relationship.new))
                return PropertyRow(
                    entity: entity.new, old: relationship.old, new: relationship.new, isRelationship: true,
                    before: was.count, after: now.count,
                    agrees: was == now || relationship.isNarrowed && now.count <= was.count)
            }
            return (attributes + relationships).sorted { $0.name < $1.name }
        }
    }

    /// The unexpected differences, as texts to print; empty if `isExact` is false.
    package var differences: [String] {
        guard isExact else { return [] }
        let objects = entities.filter { !$0.agrees }.map {
            "entity \($0.new ?? $0.old ?? ""): \($0.before ?? 0) objects before, \($0.after ?? 0) after"
        }
        let values = properties.filter { !$0.agrees }.map { row -> String in
            let unit = row.isRelationship ? "links" : "values"
            let numbers =
                row.before == row.after
                ? "other \(unit), \(row.after) as before" : "\(row.before) \(unit) before, \(row.after) after"
            let origin = row.old.flatMap { $0 == row.name ? nil : ", renamed from \($0)" } ?? ""
            return "\(row.isRelationship ? "relationship" : "attribute") \(row.entity).\(row.name)\(origin): \(numbers)"
        }
        return objects + values
    }
}
