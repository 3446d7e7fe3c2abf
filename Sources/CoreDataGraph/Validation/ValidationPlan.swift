import CoreDataModeling

/// What is to be checked of the objects of an entity, in order; made once an entity.
///
/// An entity without rules has an empty plan, which costs its objects nothing.
struct ValidationPlan {
    /// The properties with rules, by name.
    let properties: [PropertyCheck]
    /// The rules over several properties, by name.
    let entityRules: [EntityRule]

    init(entity: NSEntityDescription, places: [String: EntityLayout.Place], table: PropertyTable) {
        properties = places.keys.sorted().compactMap { key in
            PropertyCheck(key: key, entity: entity, places: places, table).flatMap { $0.isNeeded ? $0 : nil }
        }
        entityRules = EntityRule.rules(of: entity)
    }
}
