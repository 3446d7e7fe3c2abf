import CoreData
import StoreContract

/// A use of a context, or of an object of it, that belongs on the context's queue.
enum Misuse: String, CaseIterable, Codable, Sendable {
    case reading, readingByKey, readingMembers, counting, changing, changingPrimitive, adding, relating, firing
    case asking, changedValues, committedValues, identifiersOfMembers, evaluating
    case fetch, count, save, insert, delete, object, existing, registered, all, inserted, updated, deleted, hasChanges
    case refresh, refreshAll, reset, rollback, undo, redo, process, permanent

    /// What the message must name.
    var named: String {
        switch self {
        case .reading, .readingByKey, .evaluating: "'strength' of an object of entity 'Hero'"
        case .readingMembers, .counting, .identifiersOfMembers: "'powers' of an object of entity 'Hero'"
        case .changing: "a change of 'strength' of an object of entity 'Hero'"
        case .changingPrimitive: "the primitive value of 'strength' of an object of entity 'Hero'"
        case .adding: "'powers' of an object of entity 'Hero'"
        case .relating: "'nemesis' of an object of entity 'Hero'"
        case .firing: "the fault of an object of entity 'Hero'"
        case .asking: "hasChanges of an object of entity 'Hero'"
        case .changedValues: "changedValues() of an object of entity 'Hero'"
        case .committedValues: "committedValues(forKeys:) of an object of entity 'Hero'"
        case .fetch, .count: "fetch of the context"
        case .save: "save() of the context"
        case .insert: "insertion of the context"
        case .delete: "delete(_:) of the context"
        case .object, .registered: "registeredObject(for:) of the context"
        case .existing: "registeredObject(for:) of the context"
        case .all: "registeredObjects of the context"
        case .inserted: "insertedObjects of the context"
        case .updated: "updatedObjects of the context"
        case .deleted: "deletedObjects of the context"
        case .hasChanges: "hasChanges of the context"
        case .refresh: "refresh(_:mergeChanges:) of the context"
        case .refreshAll: "refreshAllObjects() of the context"
        case .reset: "reset() of the context"
        case .rollback: "rollback() of the context"
        case .undo: "undo() of the context"
        case .redo: "redo() of the context"
        case .process: "processPendingChanges() of the context"
        case .permanent: "obtainPermanentIDs(for:) of the context"
        }
    }

    /// Makes a saved hero, one that is a fault for `firing`, on the context's queue.
    func prepare(_ context: NSManagedObjectContext) throws -> Transfer<Hero> {
        try context.performAndWait {
            let hero = Hero(context: context)
            hero.strength = 3
            hero.name = "Unmentionable"
            let power = Power(context: context)
            hero.powers = [power]
            try context.save()
            if self == .firing { context.refresh(hero, mergeChanges: false) }
            return Transfer(hero)
        }
    }

    /// Uses them where the caller is.
    func commit(_ context: NSManagedObjectContext, _ hero: Hero) throws {
        let request = NSFetchRequest<Hero>(entityName: "Hero")
        switch self {
        case .reading: _ = hero.strength
        case .readingByKey: _ = hero.value(forKey: "strength")
        case .readingMembers: _ = hero.powers
        case .counting: _ = hero.mutableSetValue(forKey: "powers").count
        case .changing: hero.strength = 5
        case .changingPrimitive: hero.setPrimitiveValue(5, forKey: "strength")
        case .adding: hero.mutableSetValue(forKey: "powers").removeAllObjects()
        case .relating: hero.nemesis = nil
        case .firing: hero.strength = 5
        case .asking: _ = hero.hasChanges
        case .changedValues: _ = hero.changedValues()
        case .committedValues: _ = hero.committedValues(forKeys: nil)
        case .identifiersOfMembers: _ = hero.objectIDs(forRelationshipNamed: "powers")
        case .evaluating: _ = NSPredicate(format: "strength == 3").evaluate(with: hero)
        case .fetch: _ = try context.fetch(request)
        case .count: _ = try context.count(for: request)
        case .save: try context.save()
        case .insert: _ = Hero(context: context)
        case .delete: context.delete(hero)
        case .object: _ = context.object(with: hero.objectID)
        case .existing: _ = try context.existingObject(with: hero.objectID)
        case .registered: _ = context.registeredObject(for: hero.objectID)
        case .all: _ = context.registeredObjects
        case .inserted: _ = context.insertedObjects
        case .updated: _ = context.updatedObjects
        case .deleted: _ = context.deletedObjects
        case .hasChanges: _ = context.hasChanges
        case .refresh: context.refresh(hero, mergeChanges: true)
        case .refreshAll: context.refreshAllObjects()
        case .reset: context.reset()
        case .rollback: context.rollback()
        case .undo: context.undo()
        case .redo: context.redo()
        case .process: context.processPendingChanges()
        case .permanent: try context.obtainPermanentIDs(for: [hero])
        }
    }
}
