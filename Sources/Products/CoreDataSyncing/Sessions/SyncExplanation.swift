import Foundation

/// Why an attribute of an object has its value.
public struct SyncExplanation: Sendable, Hashable, Codable {
    /// A value that was written without knowledge of the others.
    public struct Write: Sendable, Hashable, Codable {
        /// The 16 digits of the peer that wrote it.
        public let peer: String
        /// When it was written, by the clock of that peer.
        public let date: Date
        /// The value as text; nil for null.
        public let value: String?
        /// Whether it is the value that the rule chose; of counters and sets each is a part of it.
        public let isChosen: Bool
        /// The peer and the number of the transaction that wrote it; nil for what a peer added to a counter.
        public let transaction: String?
        /// The identity of the object to which it was written: another than the one that is shown, if both became one.
        public let object: String
    }

    /// The name of the entity.
    public let entity: String
    /// The name of the attribute.
    public let attribute: String
    /// The merge rule, as the user info of a model names it.
    public let rule: String
    /// The value that the rule leads to, as text; nil for null.
    public let value: String?
    /// The values that no later one replaced, the earliest first; more than one if peers wrote at the same time.
    public let writes: [Write]
    /// The identity of the object, which is the same for all peers, with those of the objects that became one with it.
    public let objects: [String]
}
