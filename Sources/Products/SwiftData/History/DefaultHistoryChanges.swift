import CoreDataGraph
import Foundation

/// An inserted model of a class.
public struct DefaultHistoryInsert<Model: PersistentModel>: HistoryInsert, Hashable {
    /// The number of the change in the history.
    public let changeIdentifier: Int64
    /// The number of the transaction in the history.
    public let transactionIdentifier: Int64
    /// The identifier of the model that changed.
    public let changedPersistentIdentifier: PersistentIdentifier
}

/// A model of a class of which properties were changed.
public struct DefaultHistoryUpdate<Model: PersistentModel>: HistoryUpdate, Hashable {
    /// The number of the change in the history.
    public let changeIdentifier: Int64
    /// The number of the transaction in the history.
    public let transactionIdentifier: Int64
    /// The identifier of the model that changed.
    public let changedPersistentIdentifier: PersistentIdentifier
    /// The numbers of the changed properties.
    private let numbers: Set<Int>

    init(
        changeIdentifier: Int64, transactionIdentifier: Int64, changedPersistentIdentifier: PersistentIdentifier,
        names: Set<String>
    ) {
        self.changeIdentifier = changeIdentifier
        self.transactionIdentifier = transactionIdentifier
        self.changedPersistentIdentifier = changedPersistentIdentifier
        numbers = Set(ModelPlan.of(Model.self).properties.filter { names.contains($0.name) }.map(\.number))
    }

    public var updatedAttributes: [any PartialKeyPath<Model> & Sendable] {
        ModelPlan.of(Model.self).properties.filter { numbers.contains($0.number) }
            .map { InheritedKeyPath.partial($0.keyPath, Model.self) }
            // The protocol has no representation at run time, and the key path captures no values.
            .map { unsafeBitCast($0, to: (any PartialKeyPath<Model> & Sendable).self) }
    }

    /// Whether a property was changed.
    public func containsAttribute(_ path: any PartialKeyPath<Model> & Sendable) -> Bool {
        ModelPlan.of(Model.self).property(at: path).map { numbers.contains($0.number) } ?? false
    }
}

/// A deleted model of a class.
public struct DefaultHistoryDelete<Model: PersistentModel>: HistoryDelete, Hashable {
    /// The number of the change in the history.
    public let changeIdentifier: Int64
    /// The number of the transaction in the history.
    public let transactionIdentifier: Int64
    /// The identifier of the model that changed.
    public let changedPersistentIdentifier: PersistentIdentifier
    public let tombstone: HistoryTombstone<Model>

    public static func == (one: Self, other: Self) -> Bool {
        one.changeIdentifier == other.changeIdentifier
            && one.changedPersistentIdentifier == other.changedPersistentIdentifier
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(changeIdentifier)
        hasher.combine(changedPersistentIdentifier)
    }
}

extension HistoryChange {
    /// The change in terms of the model's class; nil for an entity that is not one of the container's models.
    init?(_ change: NSPersistentHistoryChange, transaction: Int64) {
        guard let record = change.changedObjectID.entity.objectType as? ModelRecord.Type else { return nil }
        let model: any PersistentModel.Type = record.plan.type
        self = model.historyChange(change, transaction)
    }
}

extension PersistentModel {
    fileprivate static func historyChange(_ change: NSPersistentHistoryChange, _ transaction: Int64) -> HistoryChange {
        let identifier = PersistentIdentifier(change.changedObjectID)
        switch change.changeType {
        case .insert:
            return .insert(
                DefaultHistoryInsert<Self>(
                    changeIdentifier: change.changeID, transactionIdentifier: transaction,
                    changedPersistentIdentifier: identifier))
        case .update:
            return .update(
                DefaultHistoryUpdate<Self>(
                    changeIdentifier: change.changeID, transactionIdentifier: transaction,
                    changedPersistentIdentifier: identifier,
                    names: Set((change.updatedProperties ?? []).map(\.name))))
        case .delete:
            return .delete(
                DefaultHistoryDelete<Self>(
                    changeIdentifier: change.changeID, transactionIdentifier: transaction,
                    changedPersistentIdentifier: identifier,
                    tombstone: HistoryTombstone(change.tombstone ?? [:])))
        }
    }
}
