import CoreDataGraph

/// The values of a model.
public protocol BackingData<Model> {
    /// The class of the models.
    associatedtype Model: PersistentModel
    /// The identifier of the model; nil before the model is inserted into a context.
    var persistentModelID: PersistentIdentifier? { get }
    /// Where the values are; not for use in sources.
    var _modelStorage: ModelStorage { get }
}

extension BackingData {
    /// No values, for a type of the program's own.
    public var _modelStorage: ModelStorage { ModelStorage() }
}

/// The values of a model, where its storage has them.
struct StoredBackingData<Model: PersistentModel>: BackingData {
    let storage: ModelStorage
    var _modelStorage: ModelStorage { storage }
    var persistentModelID: PersistentIdentifier? { storage.record.map { PersistentIdentifier($0.objectID) } }
}
