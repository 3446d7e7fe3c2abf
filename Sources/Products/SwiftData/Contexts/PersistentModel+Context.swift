import CoreDataGraph

extension PersistentModel {
    /// The context that the model was inserted into or fetched by; nil before, and after its deletion was saved.
    public var modelContext: ModelContext? { _$storage.record?.managedObjectContext?.modelContext }
}
