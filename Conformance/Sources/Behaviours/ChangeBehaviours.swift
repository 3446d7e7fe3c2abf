import CoreData
import Foundation

/// States of objects and contexts: changes, faults, undo, rollback, merging, child contexts.
enum ChangeBehaviours {
    private static func state(_ object: NSManagedObject) -> String {
        let flags = [
            ("inserted", object.isInserted), ("updated", object.isUpdated), ("deleted", object.isDeleted),
            ("fault", object.isFault),
            ("changed", object.hasChanges), ("persistently", object.hasPersistentChangedValues),
            ("temporary", object.objectID.isTemporaryID),
        ]
        return flags.filter(\.1).map(\.0).joined(separator: " ")
    }

    private static func ann(_ name: String, _ run: @escaping @Sendable (World, NSManagedObject) throws -> String)
        -> Behaviour
    {
        Behaviour(name: name) { world in
            return try run(world, try world.person("Ann"))
        }
    }

    private static func merge(_ name: String, _ policy: NSMergePolicyType) -> Behaviour {
        ann("merge by \(name)") { world, ann in
            let other = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
            other.persistentStoreCoordinator = world.coordinator
            let same = try other.existingObject(with: ann.objectID)
            same.setValue(50, forKey: "age")
            same.setValue("theirs", forKey: "note")
            ann.setValue(60, forKey: "age")
            ann.setValue(8.0, forKey: "score")
            try other.save()
            world.context.mergePolicy = NSMergePolicy(merge: policy)
            try world.context.save()
            other.refreshAllObjects()
            return Rendering.text(of: same.dictionaryWithValues(forKeys: ["age", "note", "score"]))
        }
    }

    static let all: [Behaviour] =
        [
            ann("state as fetched") { _, ann in state(ann) },
            ann("state after a change") { _, ann in
                ann.setValue(31, forKey: "age")
                return state(ann)
            },
            ann("state after the same value") { _, ann in
                ann.setValue(30, forKey: "age")
                return state(ann)
            },
            ann("state after there and back") { world, ann in
                ann.setValue(31, forKey: "age")
                ann.setValue(30, forKey: "age")
                world.context.processPendingChanges()
                return state(ann)
            },
            ann("state after deleting") { world, ann in
                world.context.delete(ann)
                return state(ann)
            },
            ann("state after deleting and saving") { world, ann in
                world.context.delete(ann)
                try world.context.save()
                return state(ann) + (ann.managedObjectContext == nil ? " without context" : "")
            },
            ann("state after refreshing") { world, ann in
                world.context.refresh(ann, mergeChanges: false)
                return state(ann)
            },
            ann("state after rollback") { world, ann in
                ann.setValue(31, forKey: "age")
                world.context.rollback()
                return "\(state(ann)) \(Rendering.text(of: ann.value(forKey: "age")))"
            },
            ann("changed values") { _, ann in
                ann.setValue(31, forKey: "age")
                ann.setValue("Anna", forKey: "name")
                return Rendering.text(of: ann.changedValues())
            },
            ann("changed values of the current event") { world, ann in
                ann.setValue(31, forKey: "age")
                world.context.processPendingChanges()
                return Rendering.text(of: ann.changedValuesForCurrentEvent())
            },
            ann("committed values") { _, ann in
                ann.setValue(31, forKey: "age")
                return Rendering.text(of: ann.committedValues(forKeys: ["age", "name"]))
            },
            ann("refresh with changes") { world, ann in
                ann.setValue(31, forKey: "age")
                world.context.refresh(ann, mergeChanges: true)
                return "\(state(ann)) \(Rendering.text(of: ann.value(forKey: "age")))"
            },
            ann("refresh without changes") { world, ann in
                ann.setValue(31, forKey: "age")
                world.context.refresh(ann, mergeChanges: false)
                return Rendering.text(of: ann.value(forKey: "age"))
            },
            ann("reset") { world, ann in
                ann.setValue(31, forKey: "age")
                world.context.reset()
                return "\(world.context.registeredObjects.count) \(world.context.hasChanges)"
            },
            ann("undo and redo") { world, ann in
                let manager = UndoManager()
                manager.groupsByEvent = false
                world.context.undoManager = manager
                manager.beginUndoGrouping()
                ann.setValue(31, forKey: "age")
                world.context.processPendingChanges()
                manager.endUndoGrouping()
                let changed = Rendering.text(of: ann.value(forKey: "age"))
                world.context.undo()
                let undone = Rendering.text(of: ann.value(forKey: "age"))
                world.context.redo()
                return "\(changed) \(undone) \(Rendering.text(of: ann.value(forKey: "age")))"
            },
            ann("undo a deletion") { world, ann in
                let manager = UndoManager()
                manager.groupsByEvent = false
                world.context.undoManager = manager
                manager.beginUndoGrouping()
                world.context.delete(ann)
                world.context.processPendingChanges()
                manager.endUndoGrouping()
                world.context.undo()
                return "\(Rendering.text(of: try world.people())) \(Rendering.text(of: ann.value(forKey: "pets")))"
            },
            ann("child context") { world, ann in
                let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
                child.parent = world.context
                let same = try child.existingObject(with: ann.objectID)
                same.setValue(31, forKey: "age")
                let before = Rendering.text(of: ann.value(forKey: "age"))
                try child.save()
                return "\(before) \(Rendering.text(of: ann.value(forKey: "age"))) \(world.context.hasChanges)"
            },
            ann("save notification") { world, ann in
                nonisolated(unsafe) var told = ""
                let observer = NotificationCenter.default.addObserver(
                    forName: .NSManagedObjectContextDidSave, object: world.context, queue: nil
                ) { notification in
                    let keys = [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey]
                    told = keys.map { key in
                        "\(key) \((notification.userInfo?[key] as? Set<NSManagedObject>)?.count ?? 0)"
                    }.joined(separator: ", ")
                }
                defer { NotificationCenter.default.removeObserver(observer) }
                ann.setValue(31, forKey: "age")
                _ = world.insert("Person", ["name": "Zoe"])
                world.context.delete(try world.person("eve"))
                try world.context.save()
                return told
            },
            ann("obtain permanent ids") { world, _ in
                let zoe = world.insert("Person", ["name": "Zoe"])
                let before = zoe.objectID.isTemporaryID
                try world.context.obtainPermanentIDs(for: [zoe])
                return "\(before) \(zoe.objectID.isTemporaryID) \(zoe.isInserted)"
            },
            ann("an object that is not there") { world, ann in
                let identifier = ann.objectID
                world.context.delete(ann)
                try world.context.save()
                _ = try world.context.existingObject(with: identifier)
                return "found"
            },
        ]
        + [
            merge("error", .errorMergePolicyType),
            merge("the object's properties", .mergeByPropertyObjectTrumpMergePolicyType),
            merge("the store's properties", .mergeByPropertyStoreTrumpMergePolicyType),
            merge("overwriting", .overwriteMergePolicyType),
            merge("rolling back", .rollbackMergePolicyType),
        ]
}
