import CoreDataGraph
import Foundation

/// An empty value in place of a persisted property, by which the compiler sees that an initializer has set the property.
public struct PersistedSlot: Sendable {
    /// Makes the value.
    @inlinable public init() {}
}

/// Where the values of a model are: in a record of a context, or in the model itself.
///
/// Invariant: one of `record` and `detached` is nil; both are until an initializer has set a property.
public struct ModelStorage {
    @usableFromInline var record: ModelRecord?
    @usableFromInline var detached: DetachedValues?
    /// The number of the first property of a model that is in no context: those before it are in the storage of the superclass.
    @usableFromInline var base = 0
    /// The record once more; not for use in sources.
    public let _reference: RecordReference

    /// Storage of a model that is in no context.
    ///
    /// It has no memory for values until one is set: models of records are made with such storage first.
    @inlinable public init() { _reference = RecordReference(nil) }

    /// Storage of the properties that a subclass adds to those of a model class, for a model that is in no context.
    public init(after superclass: any PersistentModel.Type) {
        _reference = RecordReference(nil)
        base = Self.propertyCount(of: superclass)
    }

    /// The count of the persisted properties of a model class, with inherited ones.
    public static func propertyCount(of type: any PersistentModel.Type) -> Int { ModelPlan.of(type).properties.count }

    /// The storage that values are in.
    @inlinable public init<Model: PersistentModel>(adopting values: any BackingData<Model>) {
        self = values._modelStorage
        if record == nil, detached == nil { detached = DetachedValues() }
    }

    /// The values of a model that is in no context, for which memory is taken now at the latest.
    var own: DetachedValues {
        mutating get {
            if let detached { return detached }
            let made = DetachedValues(base: base)
            detached = made
            return made
        }
    }

    init(record: ModelRecord) {
        self.record = record
        _reference = RecordReference(record)
    }

    init(deleted values: DetachedValues) {
        detached = values
        _reference = RecordReference(nil)
    }

    var isDeleted: Bool { record?.isDeleted ?? (detached?.deletedIdentifier != nil) }

    mutating func identifier(of model: any PersistentModel.Type) -> PersistentIdentifier {
        if let record { return PersistentIdentifier(record.objectID) }
        if let deleted = detached?.deletedIdentifier { return deleted }
        return PersistentIdentifier(detached: own.identifier, entityName: ModelPlan.entityName(of: model))
    }
}
