import CoreData

/// Applies steps to the objects of a context: the session's, or a scratch one that shows whether they can be applied.
///
/// On the context's queue.
final class StepWork {
    let context: NSManagedObjectContext
    private let opened: ServedStore
    private let access: BrowserAccess
    /// Unsaved objects by their names.
    private let staged: [String: NSManagedObjectID]
    /// What the steps so far inserted, by their places.
    private var created: [NSManagedObject?] = []
    /// Objects that were read together, by their names; a context does not hold what has no changes.
    private var read: [String: NSManagedObject] = [:]

    init(
        _ context: NSManagedObjectContext, opened: ServedStore, access: BrowserAccess,
        staged: [String: NSManagedObjectID]
    ) {
        self.context = context
        // What is hidden is named in no error.
        self.opened = opened.shown(to: access)
        self.access = access
        self.staged = staged
    }

    /// Applies the steps in their order; gives the objects that they inserted, copies of members after their owners.
    ///
    /// - Throws: `BrowserFailure` 422 with the object and the key, 403; some steps may then have been applied.
    func apply(_ steps: [EditStep]) throws -> [NSManagedObject] {
        var inserted: [NSManagedObject] = []
        try readTogether(Set(steps.compactMap(\.place.object)))
        for (number, step) in steps.enumerated() {
            do {
                let new = try apply(step)
                created.append(new.first)
                inserted += new
            } catch {
                throw StepFailure(number: number, of: steps.count, step: step, error).failure
            }
        }
        context.processPendingChanges()
        guard
            context.deletedObjects.allSatisfy({
                access.may(.read, entity: $0.entity) && access.may(.delete, entity: $0.entity)
            })
        else {
            throw BrowserFailure(
                403, code: "notAllowed", reason: "the deletion would take objects with it that you may not delete",
                hint: "ask who runs the browser for the right")
        }
        return inserted
    }

    private func apply(_ step: EditStep) throws -> [NSManagedObject] {
        switch step {
        case .set(let object, let key, let value): try set(value, key, of: try self.object(object))
        case .insert(let entity, let values): return [try insert(entity, values)]
        case .delete(let name):
            let object = try object(name)
            try access.require(.delete, entity: object.entity)
            context.delete(object)
        case .add(let object, let key, let members, let place):
            try change(key, of: try self.object(object)) { present, relationship in
                let new = try members.map { try target($0, relationship) }.filter { !present.contains($0) }
                present.insert(contentsOf: new, at: max(0, min(place ?? present.count, present.count)))
            }
        case .remove(let object, let key, let members):
            try change(key, of: try self.object(object)) { present, relationship in
                let gone = Set(try members.map { try target($0, relationship) })
                present.removeAll(where: gone.contains)
            }
        case .move(let object, let key, let from, let to):
            try change(key, of: try self.object(object)) { present, relationship in
                guard relationship.isOrdered else {
                    throw InspectionError(.badValue, subject: key, cause: "the relationship has no order")
                }
                guard present.indices.contains(from), present.indices.contains(to) else {
                    throw InspectionError(
                        .badValue, subject: key, cause: "no member can be moved from \(from) to \(to)",
                        hint: "the relationship has \(present.count) members, counted from 0")
                }
                present.insert(present.remove(at: from), at: to)
            }
        case .duplicate(let name, let deep):
            return try Duplication(access, isDeep: deep).copy(try object(name), in: context)
        }
        return []
    }
}

// MARK: Objects

extension StepWork {
    /// The object of a name: `Hero/p1`, `Hero/t1`, or `@0` for what the first step inserted.
    ///
    /// - Throws: `InspectionError` of code `noObject` or `unknownEntity`.
    func object(_ name: String) throws -> NSManagedObject {
        let object = try found(name)
        guard access.may(.read, entity: object.entity) else { throw Self.missing(name) }
        guard !object.isDeleted, object.managedObjectContext != nil else {
            throw InspectionError(
                .noObject, subject: PrintableText.escaped(name, limit: 120), cause: "the object is deleted in this tab",
                hint: "undo the deletion first")
        }
        return object
    }

    private func found(_ name: String) throws -> NSManagedObject {
        if name.hasPrefix("@") {
            guard let place = Int(name.dropFirst()), created.indices.contains(place), let object = created[place]
            else { throw Self.missing(name) }
            return object
        }
        if let id = staged[name] { return context.object(with: id) }
        if let object = read[name] { return object }
        let address: ObjectAddress
        do { address = try ObjectAddress(name) } catch { throw Self.missing(name) }
        if let store = address.store, store.lowercased() != opened.store.identifier.lowercased() {
            throw Self.missing(name)
        }
        let entity = try opened.entity(named: address.entity)
        guard let id = opened.identifier(of: entity, address.key) else { throw Self.missing(name) }
        if let known = context.registeredObject(for: id), known.hasChanges || known.isDeleted { return known }
        let request = NSFetchRequest<NSManagedObject>(entityName: address.entity)
        request.predicate = NSPredicate(format: "SELF == %@", id)
        request.affectedStores = context.parent == nil ? [opened.store] : nil
        guard let object = try context.fetch(request).first else { throw Self.missing(name) }
        return object
    }

    /// Reads the saved objects among many names with few fetches.
    private func readTogether(_ names: Set<String>) throws {
        guard names.count > 8 else { return }
        var groups: [String: [NSManagedObjectID]] = [:]
        for name in names {
            guard let address = try? ObjectAddress(name), address.store == nil,
                let entity = opened.model.entitiesByName[address.entity],
                let id = opened.identifier(of: entity, address.key)
            else { continue }
            groups[address.entity, default: []].append(id)
        }
        for (entity, ids) in groups {
            for start in stride(from: 0, to: ids.count, by: 1_000) {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                request.predicate = NSPredicate(format: "SELF IN %@", Array(ids[start..<min(start + 1_000, ids.count)]))
                request.affectedStores = context.parent == nil ? [opened.store] : nil
                for object in try context.fetch(request) { read["\(entity)/p\(object.objectID.key)"] = object }
            }
        }
    }

    static func missing(_ name: String) -> InspectionError {
        InspectionError(
            .noObject, subject: PrintableText.escaped(name, limit: 120), cause: "there is no such object",
            hint: "names look like Hero/p1, or Hero/t1 for what this tab inserted and has not saved")
    }

    private func insert(_ name: String, _ values: [JSONValue.Member]) throws -> NSManagedObject {
        let entity = try opened.entity(named: name)
        try access.require(.insert, entity: entity)
        guard !entity.isAbstract else {
            throw InspectionError(
                .badValue, subject: name, cause: "the entity is abstract, so it has no objects of its own")
        }
        let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
        if opened.coordinator.persistentStores.count > 1, context.parent == nil {
            context.assign(object, to: opened.store)
        }
        for member in values { try set(member.value, member.key, of: object, isNew: true) }
        return object
    }

    private func target(_ name: String, _ relationship: NSRelationshipDescription) throws -> NSManagedObject {
        let object = try object(name)
        guard let wanted = relationship.destinationEntity, object.entity.isKindOf(entity: wanted) else {
            throw InspectionError(
                .badValue, subject: relationship.name,
                cause: "an object of entity '\(object.entity.name ?? "")' is not of entity "
                    + "'\(relationship.destinationEntity?.name ?? "")', to which the relationship leads")
        }
        return object
    }
}

// MARK: Values

extension StepWork {
    /// Sets a property to what JSON says; an equal value changes nothing.
    ///
    /// - Throws: `InspectionError` of code `unknownKey`, `badValue` or `noObject`; `BrowserFailure` 403.
    func set(_ json: JSONValue, _ key: String, of object: NSManagedObject, isNew: Bool = false) throws {
        let entity = object.entity
        let property = try SettableProperty.named(key, of: entity, access)
        try access.require(isNew ? .insert : .update, entity: entity, key: key)
        switch property {
        case let attribute as NSAttributeDescription:
            let value = try JSONValueParsing.value(json, for: attribute)
            guard !StagedValue.isSame(object.value(forKey: key), other: value, attribute: attribute) else { return }
            try KeptNumber.require(value, attribute, in: opened.store)
            try object.setCodedValue(value, forKey: key)
        case let relationship as NSRelationshipDescription where relationship.isToMany:
            let names = try Self.names(json, relationship)
            try change(key, of: object) { present, relationship in
                present = try names.map { try target($0, relationship) }
            }
        case let relationship as NSRelationshipDescription:
            let next = try Self.name(json, relationship).map { try target($0, relationship) }
            guard object.value(forKey: key) as? NSManagedObject !== next else { return }
            try object.setCodedValue(next, forKey: key)
        default: break
        }
    }

    /// Gives a to-many relationship the members that `edit` makes of those it has.
    private func change(
        _ key: String, of object: NSManagedObject,
        _ edit: (inout [NSManagedObject], NSRelationshipDescription) throws -> Void
    ) throws {
        let property = try SettableProperty.named(key, of: object.entity, access)
        guard let relationship = property as? NSRelationshipDescription, relationship.isToMany else {
            throw InspectionError(.badValue, subject: key, cause: "only a to-many relationship has members")
        }
        try access.require(.update, entity: object.entity, key: key)
        let former = StagedValue.members(object.value(forKey: key))
        var members = former
        try edit(&members, relationship)
        members = NSOrderedSet(array: members).array.compactMap { $0 as? NSManagedObject }
        let isSame = relationship.isOrdered ? members == former : Set(members) == Set(former)
        guard !isSame else { return }
        let value: Any = relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
        try object.setCodedValue(value, forKey: key)
    }

    private static func name(_ json: JSONValue, _ relationship: NSRelationshipDescription) throws -> String? {
        switch json {
        case .null: return nil
        case .string(let name): return name
        default:
            throw InspectionError(
                .badValue, subject: relationship.name, cause: "the JSON names no object",
                hint: "a text such as \"Hero/p1\", or null")
        }
    }

    private static func names(_ json: JSONValue, _ relationship: NSRelationshipDescription) throws -> [String] {
        let wrong = InspectionError(
            .badValue, subject: relationship.name, cause: "the JSON is not a list of names",
            hint: "such as [\"Hero/p1\"]")
        switch json {
        case .null: return []
        case .array(let elements):
            return try elements.map { element in
                guard case .string(let name) = element else { throw wrong }
                return name
            }
        default: throw wrong
        }
    }
}
