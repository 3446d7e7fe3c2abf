import CoreData

/// Copies objects.
///
/// A copy has the attribute values and the related objects of the original, with two exceptions. A relationship whose
/// delete rule is Cascade is empty in a shallow copy, and has copies of the members in a deep one. A relationship whose
/// inverse is to-one is empty unless its members are copied, since a link from the copy would take them from the
/// original.
struct Duplication {
    private static let limit = 10_000

    private let access: BrowserAccess
    private let isDeep: Bool

    init(_ access: BrowserAccess, isDeep: Bool) {
        self.access = access
        self.isDeep = isDeep
    }

    /// Copies an object; returns the copy, followed by the copies of its members.
    ///
    /// - Throws: `InspectionError` where more than 10,000 objects would be copied; `BrowserFailure` 403.
    func copy(_ source: NSManagedObject, in context: NSManagedObjectContext) throws -> [NSManagedObject] {
        var order = [source]
        var copies: [NSManagedObject: NSManagedObject] = [:]
        var seen: Set = [source]
        var next = 0
        while next < order.count {
            let object = order[next]
            next += 1
            try access.require(.insert, entity: object.entity)
            let copy = NSEntityDescription.insertNewObject(forEntityName: object.entity.name ?? "", into: context)
            if let store = object.objectID.persistentStore, context.parent == nil { context.assign(copy, to: store) }
            copies[object] = copy
            guard isDeep else { continue }
            for relationship in owned(by: object.entity) {
                for member in targets(relationship, of: object) where seen.insert(member).inserted {
                    order.append(member)
                }
            }
            guard order.count <= Self.limit else {
                throw InspectionError(
                    .badValue, subject: object.entity.name ?? "",
                    cause: "a deep copy would have more than \(Self.limit) objects",
                    hint: "copy without the members, or copy parts of them")
            }
        }
        for object in order { try fill(copies[object], from: object, copies) }
        return order.compactMap { copies[$0] }
    }

    private func owned(by entity: NSEntityDescription) -> [NSRelationshipDescription] {
        entity.relationshipsByName.values.filter { $0.deleteRule == .cascadeDeleteRule }.sorted { $0.name < $1.name }
    }

    private func targets(_ relationship: NSRelationshipDescription, of object: NSManagedObject) -> [NSManagedObject] {
        let value = object.value(forKey: relationship.name)
        return relationship.isToMany ? PropertyEditor.members(value) : [value as? NSManagedObject].compactMap { $0 }
    }

    private func fill(
        _ copy: NSManagedObject?, from object: NSManagedObject, _ copies: [NSManagedObject: NSManagedObject]
    ) throws {
        guard let copy else { return }
        for (key, property) in object.entity.propertiesByName
        where SettableProperty.isSettable(property) && access.may(.read, entity: object.entity, key: key) {
            guard let relationship = property as? NSRelationshipDescription else {
                try copy.setCodedValue(object.value(forKey: key), forKey: key)
                continue
            }
            let isOwned = relationship.deleteRule == .cascadeDeleteRule
            let targets = targets(relationship, of: object).compactMap { target in
                copies[target] ?? (isOwned || Self.belongsToOne(relationship) ? nil : target)
            }
            let value: Any? =
                relationship.isOrdered
                ? NSOrderedSet(array: targets) : relationship.isToMany ? NSSet(array: targets) : targets.first
            if !targets.isEmpty { try copy.setCodedValue(value, forKey: key) }
        }
    }

    /// Whether the inverse is to-one, so that a link from the copy would take the target from the original.
    private static func belongsToOne(_ relationship: NSRelationshipDescription) -> Bool {
        relationship.inverseRelationship.map { !$0.isToMany } ?? false
    }
}
