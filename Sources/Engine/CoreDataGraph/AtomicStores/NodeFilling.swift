import CoreDataStore

/// Copies an object's stored properties into a node, for atomic stores that do not override this.
enum NodeFilling {
    static func fill(_ node: NSAtomicStoreCacheNode, from object: NSManagedObject) {
        for property in object.entity.properties where !property.isTransient {
            switch property {
            case let attribute as NSAttributeDescription:
                node.setValue(object.primitiveValue(forKey: attribute.name), forKey: attribute.name)
            case let relationship as NSRelationshipDescription:
                node.setValue(identifiers(object.value(forKey: relationship.name)), forKey: relationship.name)
            default: continue
            }
        }
    }

    /// The identifiers of related objects. Leaves out temporary ones: the save does not insert these objects.
    private static func identifiers(_ value: Any?) -> Any? {
        switch value {
        case let object as NSManagedObject: object.objectID.isTemporaryID ? nil : object.objectID
        case let set as NSOrderedSet: set.array.compactMap { identifiers($0) }
        case let set as NSSet: set.allObjects.compactMap { identifiers($0) }
        default: nil
        }
    }
}
