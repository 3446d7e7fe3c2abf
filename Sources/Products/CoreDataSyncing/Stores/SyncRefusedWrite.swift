import Foundation

/// A change that was saved in a store which only receives, and was taken back.
public struct SyncRefusedWrite: Sendable, Hashable, Codable {
    /// What was done to the object.
    public enum Kind: String, Sendable, Codable {
        /// It was inserted; the object is removed again.
        case inserted
        /// It was changed; it has its former values again.
        case updated
        /// It was deleted; the object is there again.
        case deleted
    }

    /// When the change was taken back.
    public let date: Date
    /// What was done to the object.
    public let kind: Kind
    /// The name of the entity.
    public let entity: String
    /// The identity of the object; nil for one that was inserted.
    public let object: String?
    /// The attributes and relationships of an update.
    public let keys: [String]
}
