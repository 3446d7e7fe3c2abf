import CoreDataModeling

/// Telling the places of rows and, by the way, where a value changes from one to the next; for stores that can.
package protocol SectionScanning: AnyObject {
    /// The places of the rows that a query selects, in its order, and the runs of equal values at the end of a path.
    func scan(_ query: FetchQuery, by column: SectionColumn) throws -> SectionScan
}

/// The places of rows in an order, and which of those that follow each other have one value.
package struct SectionScan {
    package var addresses = AddressList()
    /// The values and how many rows have each; values that follow each other may be equal all the same.
    package var runs: [(value: Any?, count: Int)] = []

    package init() {}
}

/// A stored attribute of a record, or of one that relationships to one lead to, which nobody computes otherwise.
package struct SectionColumn {
    package let path: String
    package let attribute: NSAttributeDescription
    package let kind: AttributeKind

    /// Nil for a path whose value only an object can tell.
    init?(_ path: String, from layout: EntityLayout) {
        guard let end = ValuePath(path, from: layout.entity), let attribute = end.attribute, end.elementPath.isEmpty,
            !(attribute is NSDerivedAttributeDescription), Self.isPlain(AttributeKind(attribute))
        else { return nil }
        var entity: NSEntityDescription? = layout.entity
        for step in path.split(separator: ".").map(String.init) {
            guard let present = entity, Self.isPlain(step, of: present, layout.model) else { return nil }
            entity = present.relationshipsByName[step]?.destinationEntity
        }
        self.path = path
        self.attribute = attribute
        kind = AttributeKind(attribute)
    }

    private static func isPlain(_ kind: AttributeKind) -> Bool {
        switch kind {
        case .integer16, .integer32, .integer64, .boolean, .double, .float, .date, .string: true
        default: false
        }
    }

    /// Whether no class of an entity's objects has an accessor of its own for a property.
    private static func isPlain(_ key: String, of entity: NSEntityDescription, _ model: ModelLayout) -> Bool {
        model.entities.filter { $0.entity.isKindOf(entity: entity) }.allSatisfy { layout in
            let objectClass = layout.objectClass
            return !KeyedAccess.isOverridden(by: objectClass)
                && objectClass.propertyTable.property(named: key)?.get == nil
        }
    }
}
