import CoreDataGraph
import Foundation

// What code with managed objects uses of models: the same stores, contexts and records under the names of Core Data.

extension ModelContainer {
    /// The stores of the container, for contexts and requests of Core Data in the same program.
    ///
    /// Managed objects of these stores are the records of models. Do not add or remove stores.
    public var persistentStoreCoordinator: NSPersistentStoreCoordinator { coordinator }
}

extension ModelContext {
    /// The context of the models' records, for code that uses managed objects.
    ///
    /// Changes that either side makes are those of both; one save saves all. It may be used where the model context may.
    public var managedObjectContext: NSManagedObjectContext { records }

    /// Returns the model of a managed object of the container's stores, in this context; nil for an object of another
    /// container, one that is new in another context, or one whose row does not exist any more.
    public func model(for object: NSManagedObject) -> (any PersistentModel)? {
        if object.managedObjectContext === records { return (object as? ModelRecord)?.presentModel() }
        guard !object.objectID.isTemporaryID,
            let objectID = PersistentIdentifier(object.objectID).objectID(in: container.coordinator)
        else { return nil }
        return (try? records.existingObject(with: objectID) as? ModelRecord)?.presentModel()
    }

    /// Returns the model of a managed object as one of a class; nil as `model(for:)` does, and for another class.
    public func model<Model: PersistentModel>(for object: NSManagedObject, as type: Model.Type) -> Model? {
        model(for: object) as? Model
    }
}

extension NSManagedObjectContext {
    /// The model context whose records this context has; nil for any other context.
    public var swiftDataContext: ModelContext? { modelContext }
}

extension PersistentModel {
    /// The managed object that has the values of the model; nil while the model is in no context.
    ///
    /// Its keys are the names of the properties, and its values those of the attributes: an enumeration is a dictionary.
    public var managedObject: NSManagedObject? { _$storage.record }
}

extension PersistentIdentifier {
    /// The identifier in the terms of a coordinator of Core Data; nil if it has no such store, or the model was not
    /// inserted.
    public func managedObjectID(in coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectID? {
        objectID(in: coordinator)
    }
}

extension NSManagedObjectModel {
    /// Makes the model of classes and those that they are related to, for a container of Core Data on the stores of these
    /// classes; nil if no store can keep them.
    ///
    /// Its objects are of the class `NSManagedObject` unless `managedObjectClassName` of an entity names another.
    public static func makeManagedObjectModel(for types: [any PersistentModel.Type]) -> NSManagedObjectModel? {
        let schema = Schema(types)
        guard schema.problems.isEmpty else { return nil }
        let model = schema.makeManagedObjectModel()
        for entity in model.entities { entity.objectType = nil }
        return model
    }

    /// Makes the model of a version of a schema, as `makeManagedObjectModel(for:)` does.
    public static func makeManagedObjectModel(for version: any VersionedSchema.Type) -> NSManagedObjectModel? {
        guard let model = makeManagedObjectModel(for: version.models) else { return nil }
        model.versionIdentifiers = [version.versionIdentifier.description]
        return model
    }
}
