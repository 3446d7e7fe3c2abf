import CoreDataGraph
import Foundation

/// How a store takes part in sync.
public struct SyncOptions: Sendable {
    /// Whether the store only receives: what is saved here is taken back.
    public var isReader = false
    /// For how long a peer may be silent before it is forgotten, in seconds; at least a minute. A peer that returns later is given the
    /// whole state, and its own edits are merged with that.
    public var silenceLimit: TimeInterval = 30 * 86_400
    /// The time between two looks at a transport that does not notice changes, in seconds.
    public var interval: TimeInterval = 10

    /// The clock, in milliseconds since 1970.
    package var clock: @Sendable () -> UInt64 = { UInt64(max(0, Date().timeIntervalSince1970 * 1_000)) }

    /// Called on the session's queue after changes of peers were written.
    var didImport: (@Sendable (SavedChanges) -> Void)?

    /// Makes the usual options: a writer, forgotten after 30 days.
    public init() {}
}
