import CoreDataStore

/// Copies all objects of one store to an empty store whose class saves managed objects rather than rows.
///
/// Meanwhile the destination is open in a coordinator of its own, with a copy of the model whose entities all have the
/// class `NSManagedObject`, so that no class of the program changes or rejects the objects. One save writes all
/// objects, so that validation rules about related objects are satisfied; until then the originals and the copies are
/// all in memory.
struct ObjectCopying {
    private let source: NSPersistentStore
    private let reading = NSManagedObjectContext(.privateQueue)
    private let writing = NSManagedObjectContext(.privateQueue)
    private let coordinator: NSPersistentStoreCoordinator

    /// - Throws: what opening the destination throws.
    init(
        of source: NSPersistentStore, in coordinator: NSPersistentStoreCoordinator, to type: String, at url: URL,
        options: [AnyHashable: Any]?
    ) throws {
        self.source = source
        self.coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.plain(coordinator.managedObjectModel))
        reading.persistentStoreCoordinator = coordinator
        writing.persistentStoreCoordinator = self.coordinator
        try self.coordinator.addPersistentStore(
            ofType: type, configurationName: source.configurationName, at: url, options: options)
    }

    /// Copies the objects and the program's metadata, and closes the destination.
    ///
    /// - Returns: the URI of each copy, with the root entity's number and the key of its original.
    /// - Throws: what fetching and saving throw, such as validation errors; nothing is saved then.
    func run() throws -> [(root: Int, key: Int64, copy: URL)] {
        let destination = coordinator.persistentStores[0]
        defer { try? coordinator.remove(destination) }
        coordinator.setMetadata(
            MetadataRules.merged(source.metadata ?? [:], keeping: destination.metadata ?? [:]), for: destination)
        return try reading.performAndWait {
            try writing.performAndWait {
                let pairs = try copyObjects()
                let copies = Dictionary(uniqueKeysWithValues: pairs.map { ($0.original.objectID, $0.copy) })
                for (original, copy) in pairs { copyLinks(of: original, to: copy, copies) }
                // Setting a relationship added members to its inverse in any order.
                for (original, copy) in pairs { copyOrders(of: original, to: copy, copies) }
                try writing.save()
                return pairs.map { ($0.layout.root, $0.key, $1.objectID.uriRepresentation()) }
            }
        }
    }

    private static func plain(_ model: NSManagedObjectModel) -> NSManagedObjectModel {
        guard let copy = model.copy() as? NSManagedObjectModel else { return model }
        for entity in copy.entities { entity.managedObjectClassName = nil }
        return copy
    }

    // MARK: Objects

    private func copyObjects() throws -> [(original: NSManagedObject, copy: NSManagedObject)] {
        var pairs: [(original: NSManagedObject, copy: NSManagedObject)] = []
        for entity in coordinator.managedObjectModel.entities where !entity.isAbstract {
            guard let name = entity.name, let original = reading.coordinator.managedObjectModel.entitiesByName[name],
                source.keeps(original, of: reading.coordinator.managedObjectModel)
            else { continue }
            let request = NSFetchRequest<NSManagedObject>(entityName: name)
            request.includesSubentities = false
            request.returnsObjectsAsFaults = false
            request.affectedStores = [source]
            for object in try reading.fetch(request) {
                pairs.append((object, copy(object, as: entity)))
            }
        }
        return pairs
    }

    private func copy(_ object: NSManagedObject, as entity: NSEntityDescription) -> NSManagedObject {
        let copy = NSManagedObject(entity: entity, insertInto: writing)
        for (key, attribute) in entity.attributesByName where !attribute.isTransient {
            copy.setPrimitiveValue(object.primitiveValue(forKey: key), forKey: key)
        }
        return copy
    }

    // MARK: Relationships

    private func copyLinks(
        of object: NSManagedObject, to copy: NSManagedObject, _ copies: [NSManagedObjectID: NSManagedObject]
    ) {
        for (key, relationship) in copy.entity.relationshipsByName where !relationship.isTransient {
            if relationship.isToMany {
                guard relationship.inverseRelationship?.isToMany ?? true else { continue }
                let members = members(of: object, relationship).compactMap { copies[$0] }
                copy.setValue(
                    relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members), forKey: key)
            } else if let target = object.value(forKey: key) as? NSManagedObject {
                copy.setValue(copies[target.objectID], forKey: key)
            }
        }
    }

    private func copyOrders(
        of object: NSManagedObject, to copy: NSManagedObject, _ copies: [NSManagedObjectID: NSManagedObject]
    ) {
        for (key, relationship) in copy.entity.relationshipsByName
        where relationship.isOrdered && !relationship.isTransient {
            copy.setValue(NSOrderedSet(array: members(of: object, relationship).compactMap { copies[$0] }), forKey: key)
        }
    }

    private func members(of object: NSManagedObject, _ relationship: NSRelationshipDescription) -> [NSManagedObjectID] {
        let value = object.value(forKey: relationship.name)
        let members = relationship.isOrdered ? (value as? NSOrderedSet)?.array : (value as? NSSet)?.allObjects
        return (members as? [NSManagedObject] ?? []).map(\.objectID)
    }
}
