import CoreDataSync
import Foundation

/// Why sync cannot go on, with what to do about it.
public struct SyncError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
    /// The kinds of errors, by which programs distinguish them.
    public enum Code: String, Sendable {
        /// The store keeps no state of sync, or has no history.
        case unsuitableStore
        /// The store takes no part in sync yet.
        case notJoined
        /// The store takes part already.
        case alreadyJoined
        /// The model contradicts itself, or names what does not exist.
        case model
        /// The transport cannot be used.
        case transport
        /// The store refused what peers changed.
        case refusedByStore
        /// The state of sync is damaged.
        case damagedState
        /// The object or attribute does not exist, or takes no part.
        case unknownItem
        /// An item of a sealed transport is of no use, and stays so: it was altered, or its author takes no part.
        case refusedItem
        /// The keys of this device cannot be used.
        case keys
        /// The store only receives.
        case reader
        /// The program refused a merge; see `SyncOptions.validate`.
        case refusedByProgram
        /// Two devices could not be paired, or the pairing is not finished.
        case pairing
    }

    /// The kind of the error.
    public let code: Code
    /// What went wrong, as a sentence.
    public let description: String
    /// What to do about it, as a sentence.
    public let cure: String

    /// The description, as other errors have it.
    public var errorDescription: String? { description }
    /// The cure, as other errors have it.
    public var recoverySuggestion: String? { cure }

    /// Makes an error; transports of programs throw it with the code `transport`.
    public init(_ code: Code, _ description: String, cure: String) {
        self.code = code
        self.description = description
        self.cure = cure
    }
}

extension SyncError {
    static let modelNotUsed = SyncError(
        .model, "The store's model has not been used yet.", cure: "Load the store before it is synced.")

    static func unknownRule(_ rule: String, _ entity: String, _ attribute: String) -> SyncError {
        SyncError(
            .model, "The user info of '\(entity).\(attribute)' names the merge rule '\(rule)', which does not exist.",
            cure: "Name one of last, first, greatest, least, counter or custom:NAME in 'sync.merge'.")
    }

    static func unusableSet(_ entity: String, _ attribute: String) -> SyncError {
        SyncError(
            .model, "The attribute '\(entity).\(attribute)' cannot be merged by the rule 'set'.",
            cure:
                "Make the elements objects of a to-many relationship, or merge the values by a function, 'custom:NAME'."
        )
    }

    static func refusedByProgram(_ reason: String) -> SyncError {
        SyncError(
            .refusedByProgram, "The program refused what peers changed: \(reason).",
            cure: "Nothing of it was applied, and it is tried again with each exchange.")
    }

    static func unknownPeer(_ peer: String) -> SyncError {
        SyncError(.unknownItem, "There is no other peer '\(peer)'.", cure: "The status lists the peers.")
    }

    static let unsuitable = SyncError(
        .unsuitableStore, "The store cannot keep the state of sync beside its rows.",
        cure: "Use a store in a SQLite file, in PostgreSQL or in memory.")

    package static let notJoined = SyncError(
        .notJoined, "The store takes no part in sync yet.", cure: "Run 'coredata sync init', or call join.")

    package static let alreadyJoined = SyncError(
        .alreadyJoined, "The store takes part in sync already.", cure: "Exchange, or ask for its status.")

    static let lostState = SyncError(
        .damagedState,
        "The store took part in sync before, and its state is gone; joined again, its objects would all double.",
        cure:
            "Take the store from a backup or let an empty one join; or, to add its objects as new ones, say how it begins: 'joining' or "
            + "'founding', 'coredata sync init --join' or '--found'.")

    static func damaged(_ reason: FormatError) -> SyncError {
        SyncError(
            .damagedState, "The state of sync in the store is damaged: \(reason).", cure: cureOfState)
    }

    static let cureOfState = "Take the store from a backup, or let a new store join and discard this one."

    static func refused(_ reason: String) -> SyncError {
        SyncError(
            .refusedByStore, "The store refused what peers changed: \(reason).",
            cure: "Nothing was applied. Exchange again; if it is refused again, check the store.")
    }
}
