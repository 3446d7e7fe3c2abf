import CoreDataGraph
import Foundation
import Observation

/// A class whose objects a store keeps; `@Model` makes the conformance.
///
/// A model may be used only where its context is used, and is not `Sendable`: pass its `persistentModelID` on. Two
/// models are equal if they are one object: a context has one object for each record.
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {
    /// Makes a model whose values are in a storage.
    init(_$storage storage: ModelStorage)
    /// The persisted properties, in the order of the source.
    static var schemaMetadata: [Schema.PropertyMetadata] { get }
    /// The indexes and constraints of the class.
    static var schemaAnnotations: [any SchemaAnnotation] { get }
    /// Where the values are: in the model, or in a record of a context.
    var _$storage: ModelStorage { get set }
    /// The storage of each class from the root of the hierarchy on; all are the same once the model is in a context.
    var _$storages: [ModelStorage] { get }
    /// The superclass, if it is a model.
    static var _$superclass: (any PersistentModel.Type)? { get }
}

extension PersistentModel {
    /// Makes a model of values that a context keeps.
    public init(backingData: any BackingData<Self>) { self.init(_$storage: ModelStorage(adopting: backingData)) }

    public var _$storages: [ModelStorage] { [_$storage] }
    public static var _$superclass: (any PersistentModel.Type)? { nil }

    /// The identifier of the model: temporary until the model is saved.
    public var id: PersistentIdentifier { persistentModelID }

    /// The identifier of the model: temporary until the model is saved.
    public var persistentModelID: PersistentIdentifier { _$storage.identifier(of: type(of: self)) }

    /// Whether the model has changes that are not saved.
    public var hasChanges: Bool { _$storage.record?.hasChanges ?? false }

    /// Whether the model is to be deleted by the next save, or has been deleted. Its last values can still be read.
    public var isDeleted: Bool { _$storage.isDeleted }

    /// The values of the model, in the form that Apple's framework passes them in.
    public var persistentBackingData: any BackingData<Self> {
        get { StoredBackingData<Self>(storage: _$storage) }
        set { _$storage = ModelStorage(adopting: newValue) }
    }

    /// Makes values for a model that is not in a context.
    public static func createBackingData() -> any BackingData<Self> {
        StoredBackingData<Self>(storage: ModelStorage())
    }

    public static func == (one: Self, other: Self) -> Bool { one === other }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// An index or a constraint that a model class declares.
public protocol SchemaAnnotation {}
