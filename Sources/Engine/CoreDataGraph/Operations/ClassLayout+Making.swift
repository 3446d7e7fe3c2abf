import CoreDataStore

extension NSManagedObject {
    static func makeClassLayout(
        of entity: NSEntityDescription, _ places: [String: EntityLayout.Place]
    ) -> ClassLayout {
        let objectClass = ObjectClassResolver.objectClass(of: entity)
        let table = PropertyTable.of(objectClass)
        let plan = ValidationPlan(entity: entity, places: places, table: table, objectClass: objectClass)
        var hooks = ObjectHooks(overriddenBy: objectClass)
        if !plan.isEmpty { hooks.formUnion([.validateForInsert, .validateForUpdate]) }
        if entity.relationshipsByName.values.contains(where: { $0.deleteRule == .denyDeleteRule }) {
            hooks.insert(.validateForDelete)
        }
        return ClassLayout(
            entity, objectClass: objectClass, missingClass: ObjectClassResolver.missingClass(of: entity), table: table,
            validationPlan: plan,
            announcesChanges: MethodOverrides.willChange.isOverridden(by: objectClass)
                || MethodOverrides.didChange.isOverridden(by: objectClass),
            hooks: hooks)
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

extension ObjectHooks {
    /// The methods that a class overrides; all of them if overrides cannot be detected.
    init(overriddenBy objectClass: NSManagedObject.Type) {
        let all: [(ObjectHooks, MethodOverrides)] = [
            (.willSave, .willSave), (.didSave, .didSave), (.validateForInsert, .insertValidation),
            (.validateForUpdate, .updateValidation), (.validateForDelete, .deletionValidation),
            (.awakeFromFetch, .awakeFromFetch),
        ]
        self = all.reduce(into: []) { if $1.1.isOverridden(by: objectClass) { $0.insert($1.0) } }
    }
}
