import CoreDataStore

extension SectionColumn {
    /// Nil for a path whose value only an object can compute.
    init?(_ path: String, from layout: EntityLayout) {
        guard let end = ValuePath(path, from: layout.entity), let attribute = end.attribute, end.elementPath.isEmpty,
            !(attribute is NSDerivedAttributeDescription), Self.isPlain(AttributeKind(attribute))
        else { return nil }
        var entity: NSEntityDescription? = layout.entity
        for step in path.split(separator: ".").map(String.init) {
            guard let present = entity, Self.isPlain(step, of: present, layout.model) else { return nil }
            entity = present.relationshipsByName[step]?.destinationEntity
        }
        self.init(path: path, attribute: attribute)
    }

    private static func isPlain(_ kind: AttributeKind) -> Bool {
        switch kind {
        case .integer16, .integer32, .integer64, .boolean, .double, .float, .date, .string: true
        default: false
        }
    }

    /// Whether no class of an entity's objects has a custom accessor for a property.
    private static func isPlain(_ key: String, of entity: NSEntityDescription, _ model: ModelLayout) -> Bool {
        model.entities.filter { $0.entity.isKindOf(entity: entity) }.allSatisfy { layout in
            let objectClass = layout.objectClass
            return !MethodOverrides.reading.isOverridden(by: objectClass)
                && objectClass.propertyTable.property(named: key)?.get == nil
        }
    }
}
