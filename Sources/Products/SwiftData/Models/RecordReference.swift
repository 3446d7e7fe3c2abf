import CoreDataGraph

/// The record of a model without ownership, through which an accessor reads without counting references.
///
/// The storage that has the reference retains the record.
public struct RecordReference {
    @usableFromInline let record: Unmanaged<ModelRecord>?

    @usableFromInline init(_ record: ModelRecord?) { self.record = record.map { Unmanaged.passUnretained($0) } }
}

/// Returns the value of a property of a simple type; called by the accessors that `@Model` makes.
@inlinable public func persistedValue<Value: PersistentValue>(
    _ reference: RecordReference, _ number: Int, _ stored: @autoclosure () -> Value
) -> Value {
    guard let record = reference.record else { return stored() }
    return record._withUnsafeGuaranteedRef { Value.read($0, number) }
}

/// Returns the value of a property of any other type; called by the accessors that `@Model` makes.
@_disfavoredOverload @inlinable public func persistedValue<Value>(
    _ reference: RecordReference, _ number: Int, _ stored: @autoclosure () -> Value
) -> Value {
    stored()
}
