import CoreData

/// An object that the tab changed and that was saved elsewhere since.
struct SaveConflict {
    /// A property with the value that the tab staged, the value in the store, and the value from which both were
    /// changed.
    struct Property {
        let key: String
        let mine: JSONValue
        let theirs: JSONValue
        let base: JSONValue
        /// Whether the tab and others changed the property to different values.
        let isReal: Bool
    }

    let name: String
    let label: String
    /// Whether others deleted the object.
    let isGone: Bool
    /// Whether the tab deletes it.
    let isDeletion: Bool
    let properties: [Property]

    /// Whether the user has to decide.
    var isReal: Bool { isGone != isDeletion || !isGone && properties.contains(where: \.isReal) }

    /// The objects whose conflicts an error of a save reports.
    static func list(in error: NSError) -> [NSManagedObject] {
        if let parts = error.userInfo[NSDetailedErrorsKey] as? [NSError] { return parts.flatMap(list) }
        let conflicts = error.userInfo[CoreDataError.conflictListKey] as? [NSMergeConflict] ?? []
        return conflicts.map(\.sourceObject)
    }

    init?(_ object: NSManagedObject, in session: EditSession, _ access: BrowserAccess) throws {
        let naming = session.names.name
        name = naming(object)
        label = StagedLabel.text(object, name: name, access: access)
        isDeletion = object.isDeleted
        let stored = try StoredState(object.objectID, session.opened)
        isGone = stored == nil
        let entity = object.entity
        let keys = entity.propertiesByName.values.filter { property in
            let isToMany = (property as? NSRelationshipDescription)?.isToMany == true
            return SettableProperty.isSettable(property) && !isToMany
                && access.may(.read, entity: entity, key: property.name)
        }.map(\.name).sorted()
        let base = object.committedValues(forKeys: keys)
        let changed = object.changedValues()
        properties = keys.compactMap { key in
            guard let property = entity.propertiesByName[key] else { return nil }
            let before = StagedValue.json(base[key], property: property, name: naming)
            let theirs = stored?.values[key] ?? .null
            let mine =
                object.isDeleted
                ? before : StagedValue.json(changed[key] ?? base[key], property: property, name: naming)
            let lines = [mine, theirs, before].map(JSONWriter.line)
            let isTheirs = stored != nil && lines[1] != lines[2]
            let isMine = lines[0] != lines[2]
            guard isMine || isTheirs else { return nil }
            return Property(
                key: key, mine: mine, theirs: theirs, base: before, isReal: isMine && isTheirs && lines[0] != lines[1])
        }
    }

    /// `{"object", "label", "kind", "properties": [{"key", "mine", "theirs", "base"}]}`
    var json: JSONValue {
        .object([
            ("object", .string(name)), ("label", .string(label)),
            ("kind", .string(isGone ? "deleted" : "updated")), ("mine", .string(isDeletion ? "deleted" : "updated")),
            (
                "properties",
                .array(
                    properties.map { property in
                        .object([
                            ("key", .string(property.key)), ("mine", property.mine), ("theirs", property.theirs),
                            ("base", property.base), ("conflict", .bool(property.isReal)),
                        ])
                    })
            ),
        ])
    }
}

/// An object as it is in the store, whatever contexts have.
struct StoredState {
    /// The values of attributes and to-one relationships as they are shown.
    let values: [String: JSONValue]

    /// Reads the object in a context of its own; nil if it is no longer in the store.
    init?(_ id: NSManagedObjectID, _ opened: ServedStore) throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = opened.coordinator
        let values: [String: JSONValue]? = try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: id.entity.name ?? "")
            request.predicate = NSPredicate(format: "SELF == %@", id)
            request.affectedStores = [opened.store]
            guard let object = try context.fetch(request).first else { return nil }
            context.refresh(object, mergeChanges: false)
            var values: [String: JSONValue] = [:]
            for (key, property) in object.entity.propertiesByName where SettableProperty.isSettable(property) {
                if (property as? NSRelationshipDescription)?.isToMany == true { continue }
                values[key] = StagedValue.json(object.value(forKey: key), property: property) { $0.objectID.shortText }
            }
            return values
        }
        guard let values else { return nil }
        self.values = values
    }
}
