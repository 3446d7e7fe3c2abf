import CoreDataGraph
import Foundation

extension ModelContext {
    /// Inserts a model and the models that it is related to; one that is in a context remains unchanged.
    ///
    /// Stops if the container's schema lacks the class of the model.
    public func insert<T: PersistentModel>(_ model: T) {
        let root = model._$storage.detached
        guard model._$storage.record == nil, root?.deletedIdentifier == nil else { return }
        let plan = ModelPlan.of(dynamicTypeOf: model)
        let parts = plan.superplan == nil ? [] : model._$storages.compactMap(\.detached)
        guard let entity = container.entity(of: plan) else {
            stop("The schema of the container has no model \(String(reflecting: plan.type)).")
        }
        let record = plan.recordType.init(entity: entity, insertInto: records)
        record.model = model
        record.retainedModel = model
        model._$storage = ModelStorage(record: record)
        record.takeValues(root, parts, of: model)
    }

    /// Deletes a model when the context is saved, with what its delete rules name.
    public func delete<T: PersistentModel>(_ model: T) {
        guard let record = model._$storage.record else { return }
        record.retainedModel = model
        records.delete(record)
    }

    /// Deletes the models that a predicate selects, when the context is saved, with what their delete rules name.
    ///
    /// - Throws: `SwiftDataError.unsupportedPredicate`, or an error of the store.
    public func delete<T: PersistentModel>(
        model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
    ) throws {
        let plan = ModelPlan.of(T.self)
        for found in try fetch(FetchDescriptor<T>(predicate: predicate))
        where includeSubclasses || ModelPlan.of(dynamicTypeOf: found) === plan {
            delete(found)
        }
    }

    /// Saves the changes; `willSave` is posted before, and `didSave` after.
    ///
    /// A model that was deleted keeps its last values afterwards.
    /// - Throws: `CocoaError` for values that are not valid, a constraint that is violated, a conflict, or a store that
    ///   cannot be written; the changes remain in the context.
    public func save() throws {
        guard records.hasChanges else { return }
        try records.save()
    }

    /// Posts that the context saves, and what it saved.
    func announcing(_ save: () throws -> SavedRecords) throws {
        guard !isSaving else { return }
        isSaving = true
        defer { isSaving = false }
        NotificationCenter.default.post(name: Self.willSave, object: self)
        let saved = try save()
        autosaver.finish()
        announceSave(
            inserted: Self.identifiers(saved.inserted), updated: Self.identifiers(saved.updated),
            deleted: Self.identifiers(saved.deleted))
    }

    private static func identifiers(_ records: [ModelRecord]) -> [PersistentIdentifier] {
        records.sorted { $0.key < $1.key }.map { PersistentIdentifier($0.objectID) }
    }

    /// Discards all changes that were not saved. Models that were inserted are in no context afterwards, with their
    /// values.
    public func rollback() {
        let others = records.updatedObjects.union(records.deletedObjects).compactMap { $0 as? ModelRecord }
        let leave = leavingInserted()
        records.rollback()
        leave()
        for record in others { record.retainedModel = nil }
    }

    /// Gives inserted models their values, in no context.
    func leaveInserted() { leavingInserted()() }

    private func leavingInserted() -> () -> Void {
        let inserted = records.insertedObjects.compactMap { $0 as? ModelRecord }.map { ($0, $0.lastValues()) }
        return {
            for (record, values) in inserted {
                values.deletedIdentifier = nil
                record.leave(values)
            }
        }
    }

    /// Runs a block and saves; discards the changes if either throws an error.
    public func transaction(block: () throws -> Void) throws {
        do {
            try block()
            try save()
        } catch {
            rollback()
            throw error
        }
    }
}

/// The records that a save inserted, updated and deleted.
struct SavedRecords {
    let inserted: [ModelRecord]
    var updated: [ModelRecord]
    let deleted: [ModelRecord]

    init(pendingIn context: RecordContext) {
        inserted = context.insertedObjects.compactMap { $0 as? ModelRecord }
        updated = context.updatedObjects.compactMap { $0 as? ModelRecord }
        deleted = context.deletedObjects.compactMap { $0 as? ModelRecord }
    }
}

extension RecordContext {
    /// Saves the records; the models of deleted ones keep their values, and those of the others are no longer retained.
    @discardableResult
    func saveModels(_ save: () throws -> Void) throws -> SavedRecords {
        processPendingChanges()
        var saved = SavedRecords(pendingIn: self)
        // Values are kept for the models that a program holds.
        let deleted = saved.deleted.filter { $0.model != nil }.map { ($0, $0.lastValues()) }
        defer { goneRecords = [] }
        try save()
        saved.updated.removeAll { goneRecords.contains($0) }
        for record in saved.inserted + saved.updated { record.retainedModel = nil }
        for (record, values) in deleted { record.leave(values) }
        return saved
    }
}

extension ModelRecord {
    /// The values of all properties, for a model that leaves the context.
    func lastValues() -> DetachedValues {
        let values = DetachedValues()
        for property in plan.properties { values[property.number] = property.read(self) }
        values.deletedIdentifier = PersistentIdentifier(objectID)
        return values
    }

    /// Gives the model the values, apart from the record.
    func leave(_ values: DetachedValues) {
        retainedModel = nil
        guard let model = model as? any PersistentModel else { return }
        model._$storage = ModelStorage(deleted: values)
    }
}

extension ModelContainer {
    /// The entity of a model class; nil if the schema has another class of that name, or none.
    func entity(of plan: ModelPlan) -> NSEntityDescription? {
        let entity = coordinator.managedObjectModel.entitiesByName[plan.name]
        return entity?.objectType == plan.recordType ? entity : nil
    }
}
