import CoreData

/// Applies steps to the objects of a context: the session's, or a scratch one that is discarded.
///
/// Checks the user's rights; `PropertyEditor` changes the properties. Used only on the context's queue.
final class StepWork {
    /// The objects that steps inserted and changed.
    struct Outcome {
        /// The inserted objects; copies of members follow their owners.
        var inserted: [NSManagedObject] = []
        /// The objects whose values the steps changed, in the order of the steps.
        var changed: [NSManagedObject] = []
    }

    let context: NSManagedObjectContext
    let objects: StepObjects
    private let opened: ServedStore
    private let access: BrowserAccess
    private let editor: PropertyEditor

    /// - Parameter names: The names of the session's unsaved objects.
    init(_ context: NSManagedObjectContext, opened: ServedStore, access: BrowserAccess, names: StagedNames?) {
        self.context = context
        // Errors must not name entities and properties that are hidden from the user.
        self.opened = opened.shown(to: access)
        self.access = access
        objects = StepObjects(context, opened: self.opened, access: access, names: names)
        editor = PropertyEditor(
            opened.store, reader: PropertyReader(context), targets: objects, numbers: .allDigits)
    }

    /// Applies the steps in their order.
    ///
    /// - Throws: `BrowserFailure` 422 with the object and the key, 403; some steps may then have been applied.
    func apply(_ steps: [EditStep]) throws -> Outcome {
        var outcome = Outcome()
        var changed: Set<NSManagedObject> = []
        try objects.readTogether(Set(steps.compactMap(\.place.object)))
        for (number, step) in steps.enumerated() {
            do {
                let done = try apply(step)
                objects.note(created: done.inserted.first)
                outcome.inserted += done.inserted
                outcome.changed += done.changed.filter { changed.insert($0).inserted }
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
        return outcome
    }

    private func apply(_ step: EditStep) throws -> Outcome {
        switch step {
        case .edit(let name, let key, let edit):
            let object = try objects.object(name)
            return Outcome(changed: try apply(edit, to: key, of: object) ? [object] : [])
        case .insert(let entity, let values): return Outcome(inserted: [try insert(entity, values)])
        case .delete(let name):
            let object = try objects.object(name)
            try access.require(.delete, entity: object.entity)
            context.delete(object)
            return Outcome()
        case .duplicate(let name, let deep):
            return Outcome(inserted: try Duplication(access, isDeep: deep).copy(try objects.object(name), in: context))
        }
    }

    /// Applies an edit to a property; returns false if the property has the value already.
    ///
    /// - Throws: `InspectionError` of code `unknownKey`, `badValue` or `noObject`; `BrowserFailure` 403.
    @discardableResult
    func apply(_ edit: Edit, to key: String, of object: NSManagedObject) throws -> Bool {
        try access.require(.update, entity: object.entity, key: key)
        return try editor.apply(edit, to: key, of: object)
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
        for member in values {
            try access.require(.insert, entity: entity, key: member.key)
            // Setting a to-many relationship also changes the members.
            if entity.relationshipsByName[member.key]?.isToMany == true {
                try access.require(.update, entity: entity, key: member.key)
            }
            try editor.apply(.set(.json(member.value)), to: member.key, of: object)
        }
        return object
    }
}
