import CoreDataGraph

/// The values of a model.
public protocol BackingData<Model> {
    /// The class of the models.
    associatedtype Model: PersistentModel
    /// The identifier of the model; nil before the model is inserted into a context.
    var persistentModelID: PersistentIdentifier? { get }
}

/// The values of a model, where its storage has them.
struct StoredBackingData<Model: PersistentModel>: BackingData {
    let storage: ModelStorage
    var persistentModelID: PersistentIdentifier? { storage.record.map { PersistentIdentifier($0.objectID) } }
}
