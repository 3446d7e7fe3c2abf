import Foundation

/// A position in the history of stores.
public protocol HistoryToken: Codable, Hashable, Comparable, Sendable {
    /// The type of the token.
    associatedtype TokenType: Codable, Hashable, Sendable
    /// What the token consists of.
    var tokenValue: TokenType? { get }
}

/// A transaction of the history: what one save changed in one store.
public protocol HistoryTransaction: Sendable {
    /// The type of the token.
    associatedtype TokenType: HistoryToken
    /// The type of the numbers of transactions.
    associatedtype TransactionIdentifier: Codable, Hashable, Comparable, Sendable
    /// The `author` of the context that was saved.
    var author: String? { get }
    /// The changes: inserted models first, then updated, then deleted ones.
    var changes: [HistoryChange] { get }
    /// The identifier of the store.
    var storeIdentifier: String { get }
    /// When it was committed, by the clock of the saving process.
    var timestamp: Date { get }
    /// The position of the history just after the transaction.
    var token: TokenType { get }
    /// The number of the transaction in the history.
    var transactionIdentifier: TransactionIdentifier { get }
}

/// An inserted model.
public protocol HistoryInsert<Model>: Sendable {
    /// The class of the models.
    associatedtype Model: PersistentModel
    /// The type of the numbers of changes.
    associatedtype ChangeIdentifier: Codable, Hashable, Comparable, Sendable
    /// The type of the numbers of transactions.
    associatedtype TransactionIdentifier: Codable, Hashable, Comparable, Sendable
    /// The number of the change in the history.
    var changeIdentifier: ChangeIdentifier { get }
    /// The number of the transaction in the history.
    var transactionIdentifier: TransactionIdentifier { get }
    /// The identifier of the model that changed.
    var changedPersistentIdentifier: PersistentIdentifier { get }
}

/// A model of which properties were changed.
public protocol HistoryUpdate<Model>: Sendable {
    /// The class of the models.
    associatedtype Model: PersistentModel
    /// The type of the numbers of changes.
    associatedtype ChangeIdentifier: Codable, Hashable, Comparable, Sendable
    /// The type of the numbers of transactions.
    associatedtype TransactionIdentifier: Codable, Hashable, Comparable, Sendable
    /// The type of key paths of properties that changed.
    typealias PropertyUpdate = PartialKeyPath<Model> & Sendable
    /// The number of the change in the history.
    var changeIdentifier: ChangeIdentifier { get }
    /// The number of the transaction in the history.
    var transactionIdentifier: TransactionIdentifier { get }
    /// The identifier of the model that changed.
    var changedPersistentIdentifier: PersistentIdentifier { get }
    /// The properties that were changed, relationships among them.
    var updatedAttributes: [any PartialKeyPath<Model> & Sendable] { get }
}

/// A deleted model.
public protocol HistoryDelete<Model>: Sendable {
    /// The class of the models.
    associatedtype Model: PersistentModel
    /// The type of the numbers of changes.
    associatedtype ChangeIdentifier: Codable, Hashable, Comparable, Sendable
    /// The type of the numbers of transactions.
    associatedtype TransactionIdentifier: Codable, Hashable, Comparable, Sendable
    /// The number of the change in the history.
    var changeIdentifier: ChangeIdentifier { get }
    /// The number of the transaction in the history.
    var transactionIdentifier: TransactionIdentifier { get }
    /// The identifier of the model that changed.
    var changedPersistentIdentifier: PersistentIdentifier { get }
    /// The last values of the properties with `.preserveValueOnDeletion`.
    var tombstone: HistoryTombstone<Model> { get }
}

/// A change of a model in a transaction.
public enum HistoryChange: Sendable {
    /// A model was inserted.
    case insert(any HistoryInsert)
    /// Properties of a model changed.
    case update(any HistoryUpdate)
    /// A model was deleted.
    case delete(any HistoryDelete)

    /// The identifier of the model, which a store no longer has if it was deleted.
    public var changedPersistentIdentifier: PersistentIdentifier {
        switch self {
        case .insert(let change): change.changedPersistentIdentifier
        case .update(let change): change.changedPersistentIdentifier
        case .delete(let change): change.changedPersistentIdentifier
        }
    }
}
