import CoreDataGraph
import Foundation

/// What the accessors of persisted properties call with the property's number. By the property's type the compiler
/// selects the overload.
extension ModelStorage {
    // MARK: Values of attributes

    /// Returns the value of an attribute of a simple type.
    @inlinable public func value<Value: PersistentValue>(_ number: Int) -> Value {
        guard let record else { return detachedValue(number) ?? Value.emptyValue }
        return Value.read(record, number)
    }

    /// Sets an attribute of a simple type.
    @inlinable public mutating func setValue<Value: PersistentValue>(_ number: Int, to value: Value) {
        guard let record else { return setDetachedValue(number, value) }
        Value.write(value, record, number)
    }

    /// Returns the value of a property of any other type.
    ///
    /// A record whose row is gone, or whose context was released, has no values: a property that is not optional is then
    /// that of its declaration, or empty. Stops for a type of which there is no such value.
    @_disfavoredOverload public func value<Value>(_ number: Int) -> Value {
        let found: Value?
        if let record {
            found = record.plan.properties[number].read(record) as? Value
        } else {
            found = detachedValue(number)
        }
        if let found { return found }
        if let none = (Value.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Value { return none }
        return substitute(number, Value.self) ?? stopForMissingValue(number, Value.self)
    }

    /// Sets a property of any other type.
    @_disfavoredOverload public mutating func setValue<Value>(_ number: Int, to value: Value) {
        guard let record else { return setDetachedValue(number, value) }
        record.plan.properties[number].write(value, to: record)
    }

    // MARK: Relationships

    /// Returns the model of a to-one relationship.
    public func value<Target: PersistentModel>(_ number: Int) -> Target? {
        guard let record else { return detachedValue(number) ?? nil }
        let target: ModelRecord? = record.toOne(number)
        return target?.model(as: Target.self)
    }

    /// Sets a to-one relationship; a model that is in no context is inserted into the record's.
    public mutating func setValue<Target: PersistentModel>(_ number: Int, to target: Target?) {
        guard let record else { return setDetachedValue(number, target) }
        record.setToOne(number, target.flatMap { record.relatable($0) })
    }

    /// Returns the models of a to-many relationship, in the order of their records.
    public func value<Target: PersistentModel>(_ number: Int) -> [Target] {
        guard let record else { return detachedValue(number) ?? [] }
        return record.members(number)
    }

    /// Sets a to-many relationship; models that are in no context are inserted into the record's.
    public mutating func setValue<Target: PersistentModel>(_ number: Int, to targets: [Target]) {
        guard let record else { return setDetachedValue(number, targets) }
        record.setToMany(number, targets.compactMap { record.relatable($0) })
    }

    /// Returns the models of a to-many relationship: an empty array in place of nil once the model is in a context.
    public func value<Target: PersistentModel>(_ number: Int) -> [Target]? {
        guard let record else { return detachedValue(number) ?? nil }
        return record.members(number)
    }

    /// Sets a to-many relationship; nil removes all members.
    public mutating func setValue<Target: PersistentModel>(_ number: Int, to targets: [Target]?) {
        guard let record else { return setDetachedValue(number, targets) }
        record.setToMany(number, (targets ?? []).compactMap { record.relatable($0) })
    }

    // MARK: Models in no context

    /// Sets a property for the first time, in an initializer.
    ///
    /// - Parameter number: the number among the properties that the class itself declares.
    public mutating func initialize<Value>(_ number: Int, to value: Value?) {
        // Models of records begin with nil too, and need no memory for it.
        guard record == nil, detached != nil || value != nil else { return }
        own[base + number] = value as Any
    }

    /// Sets a property that is not optional for the first time, in an initializer.
    ///
    /// - Parameter number: the number among the properties that the class itself declares.
    public mutating func initialize<Value>(_ number: Int, to value: Value) {
        guard record == nil else { return }
        own[base + number] = value
    }

    @usableFromInline func detachedValue<Value>(_ number: Int) -> Value? { detached?[number] as? Value }

    @usableFromInline mutating func setDetachedValue<Value>(_ number: Int, _ value: Value) {
        guard detached?.deletedIdentifier == nil else { return }
        own[number] = value
    }

    private func substitute<Value>(_ number: Int, _ type: Value.Type) -> Value? {
        let property = record?.plan.properties[number]
        var empty = property?.defaultValue as? Value
        if empty == nil, let decodable = type as? any Decodable.Type { empty = EmptyValue.of(decodable) as? Value }
        if let property, empty != nil {
            CoreDataLogging.report(
                .error, "'\(property.name)' has no value, since the row is gone or the context was released.")
        }
        return empty
    }

    private func stopForMissingValue<Value>(_ number: Int, _ type: Value.Type) -> Value {
        let name =
            record.map { "'\($0.plan.properties[number].name)' of entity '\($0.plan.name)'" } ?? "number \(number)"
        if let record, record.managedObjectContext == nil {
            stop(
                "Property \(name) is read after the model's context was released: keep the context as long as its models."
            )
        }
        stop("Property \(name) has no value of type \(type): declare it optional, or give it a default value.")
    }
}

extension ModelRecord {
    /// The models of a to-many relationship: in the order that the program gave them, if the relationship is `ordered`;
    /// otherwise saved ones in the order of their keys, then new ones as they were made.
    func members<Target: PersistentModel>(_ number: Int) -> [Target] {
        var records: [ModelRecord] = toMany(number)
        if plan.properties[number].isOrdered { return records.compactMap { $0.presentModel() as? Target } }
        records.sort { one, other in
            let (isNew, isOtherNew) = (one.objectID.isTemporaryID, other.objectID.isTemporaryID)
            return isNew == isOtherNew ? one.key < other.key : isOtherNew
        }
        return records.compactMap { $0.model(as: Target.self) }
    }

    /// Returns the record of a model that a relationship of this record is set to; inserts it if it is in no context.
    func relatable(_ target: some PersistentModel) -> ModelRecord? {
        if let record = target._$storage.record { return record }
        (managedObjectContext as? any RelatedModelInserting)?.insertRelated(target)
        return target._$storage.record
    }
}

/// A context that takes in models which others are related to.
protocol RelatedModelInserting: AnyObject {
    func insertRelated(_ model: some PersistentModel)
}
