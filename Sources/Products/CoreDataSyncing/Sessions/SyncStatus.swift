import Foundation

/// How a store stands with its peers.
public struct SyncStatus: Sendable, Hashable, Codable {
    /// A peer as this store knows it.
    public struct Peer: Sendable, Hashable, Codable {
        /// The 16 digits of its identity.
        public let identity: String
        /// Whether it is this store.
        public let isOwn: Bool
        /// Whether it only receives.
        public let isReader: Bool
        /// Whether it takes part no longer.
        public let isRetired: Bool
        /// When its last word was read here; nil if it has said nothing yet.
        public let lastSeen: Date?
        /// The count of transactions that are here and that it had not when it last said what it has.
        public let lacks: Int
        /// The count of transactions that it has and that are not here.
        public let isAheadBy: Int
    }

    /// A value that is too large to be sent; the object's other values are.
    public struct UnsentValue: Sendable, Hashable, Codable {
        /// The entity of the object.
        public let entity: String
        /// The attribute.
        public let attribute: String
        /// The count of bytes.
        public let size: Int
        /// The object, as peers name it.
        public let object: String
    }

    /// A large value that comes on demand and is not here; the object's other values are.
    public struct AbsentValue: Sendable, Hashable, Codable {
        /// The entity of the object.
        public let entity: String
        /// The attribute.
        public let attribute: String
        /// The count of bytes.
        public let size: Int
        /// The object, as peers name it.
        public let object: String
        /// The URI of the object in this store; nil if it has no row.
        public let uri: String?
        /// Whether it was asked for, and comes with the next exchanges.
        public let isFetched: Bool
    }

    /// The 16 digits of this store's identity.
    public let identity: String
    /// What carries the items.
    public let transport: String
    /// Whether the store waits for a peer that gives it the whole state.
    public let isWaitingForState: Bool
    /// When an exchange last reached the transport, to a minute; nil if none did.
    public let lastExchange: Date?
    /// How many objects were saved here since the last exchange, and are not sent yet; nil without a history that says so.
    public let pendingObjects: Int?
    /// All peers, this store first.
    public let peers: [Peer]
    /// The bytes of items that were not applied yet; nil if the transport could not be reached.
    public let incomingBytes: Int?
    /// The bytes of this store's items that not all peers have.
    public let outgoingBytes: Int
    /// The bytes of large values that changes of peers wait for, and that are not here yet.
    public let missingBytes: Int
    /// The large values that come on demand, and were not fetched yet.
    public let absentValues: [AbsentValue]
    /// The values that are too large to be sent, and stay on this device.
    public let unsentValues: [UnsentValue]
    /// The items that were refused and are still there.
    public let refusedItems: [String]
    /// The latest changes that were saved here although the store only receives, and were taken back, the earliest first; at most 50.
    public let refusedWrites: [SyncRefusedWrite]
    /// The error of the last exchange; nil if it succeeded.
    public let lastFailure: SyncFailure?

    /// Whether all is done that can be: the store waits for nothing, its saves were captured, the last exchange succeeded, no item is
    /// unread, and each peer that takes part has said that it has all that is here and nothing else.
    ///
    /// It is what the store knows: a peer that saved something and has not exchanged since is not known to be ahead.
    public var isInSync: Bool {
        !isWaitingForState && (pendingObjects ?? 0) == 0 && lastFailure == nil && incomingBytes == 0
            && peers.allSatisfy { $0.isOwn || $0.isRetired || $0.lastSeen != nil && $0.lacks == 0 && $0.isAheadBy == 0 }
    }
}
