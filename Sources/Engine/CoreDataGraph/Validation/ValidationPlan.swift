import CoreDataStore

/// The checks of an entity's objects, in order; made once for each entity.
///
/// An entity without rules has an empty plan, with which its objects are not checked at all.
final class ValidationPlan {
    /// The properties with rules, sorted by name.
    let properties: [PropertyCheck]
    /// The to-many relationships whose number of members has a limit.
    let countedRelationships: [(relationship: NSRelationshipDescription, check: PropertyCheck)]
    /// The rules over several properties; inherited ones first, then sorted by key.
    let entityRules: [EntityRule]
    /// Whether the class overrides `validateValue(_:forKey:)`, which must then be called for every property.
    let isOverridden: Bool

    var isEmpty: Bool { properties.isEmpty && entityRules.isEmpty }

    init(
        entity: NSEntityDescription, places: [String: EntityLayout.Place], table: PropertyTable,
        objectClass: NSManagedObject.Type
    ) {
        let isOverridden = MethodOverrides.validation.isOverridden(by: objectClass)
        self.isOverridden = isOverridden
        properties = places.keys.sorted().compactMap { key in
            PropertyCheck(key: key, entity: entity, places: places, table).flatMap {
                $0.isNeeded || isOverridden ? $0 : nil
            }
        }
        countedRelationships = properties.compactMap { check in
            guard case .toMany(let relationship, _) = check.subject, relationship.limitsCount else { return nil }
            return (relationship, check)
        }
        entityRules = EntityRule.rules(of: entity)
    }
}

extension EntityLayout {
    /// The checks of the entity's objects.
    var validation: ValidationPlan { unsafeDowncast(classLayout.validationPlan, to: ValidationPlan.self) }
}
