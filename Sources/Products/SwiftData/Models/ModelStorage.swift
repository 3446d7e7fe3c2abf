import CoreDataGraph
import Foundation

/// An empty value in place of a persisted property, by which the compiler sees that an initializer has set the property.
public struct PersistedSlot: Sendable {
    /// Makes the value.
    @inlinable public init() {}
}

/// Where the values of a model are: in a record of a context, or in the model itself.
///
/// Invariant: one of `record` and `detached` is nil, and the other is not.
public struct ModelStorage {
    @usableFromInline var record: ModelRecord?
    @usableFromInline var detached: DetachedValues?

    /// Storage of a model that is in no context.
    public init() { detached = DetachedValues() }

    /// Storage of the properties that a subclass adds to those of a model class, for a model that is in no context.
    public init(after superclass: any PersistentModel.Type) {
        detached = DetachedValues(base: Self.propertyCount(of: superclass))
    }

    /// The count of the persisted properties of a model class, with inherited ones.
    public static func propertyCount(of type: any PersistentModel.Type) -> Int { ModelPlan.of(type).properties.count }

    /// The storage that values are in.
    public init<Model: PersistentModel>(adopting values: any BackingData<Model>) {
        self = (values as? StoredBackingData<Model>)?.storage ?? ModelStorage()
    }

    init(record: ModelRecord) { self.record = record }

    init(deleted values: DetachedValues) { detached = values }

    var isDeleted: Bool { record?.isDeleted ?? (detached?.deletedIdentifier != nil) }

    func identifier(of model: any PersistentModel.Type) -> PersistentIdentifier {
        if let record { return PersistentIdentifier(record.objectID) }
        if let deleted = detached?.deletedIdentifier { return deleted }
        let identifier = detached?.identifier ?? DetachedIdentifier()
        return PersistentIdentifier(detached: identifier, entityName: ModelPlan.entityName(of: model))
    }
}
