import CoreDataStore

extension NSManagedObject {
    static func makeClassLayout(
        of entity: NSEntityDescription, _ places: [String: EntityLayout.Place]
    ) -> ClassLayout {
        let objectClass = ObjectClassResolver.objectClass(of: entity)
        let table = PropertyTable.of(objectClass)
        return ClassLayout(
            entity, objectClass: objectClass, missingClass: ObjectClassResolver.missingClass(of: entity), table: table,
            validationPlan: ValidationPlan(entity: entity, places: places, table: table, objectClass: objectClass),
            announcesChanges: MethodOverrides.willChange.isOverridden(by: objectClass)
                || MethodOverrides.didChange.isOverridden(by: objectClass))
    }
}

extension ClassLayout: ClassDescription {
    var identifier: ObjectIdentifier { ObjectIdentifier(objectClass) }

    var name: String { "\(objectClass)" }

    var module: String? {
        guard objectClass != NSManagedObject.self else { return nil }
        return _typeName(objectClass, qualified: true).split(separator: ".").first.map(String.init)
    }

    var keys: [String] { table.keys }

    func key(of keyPath: AnyKeyPath) -> String? { table.key(of: keyPath) }
}
