import CoreDataGraph
import CoreDataSync
import Foundation

/// How a store takes part in sync.
public struct SyncOptions: Sendable {
    /// A merge function: gets the values that peers wrote without knowledge of each other, the earliest first, and returns the merged one.
    ///
    /// Values are of the types that managed objects have: `Bool`, `Int`, `Float`, `Double`, `NSDecimalNumber`, `String`, `Date`, `UUID`, `URL`
    /// and `Data`, of a transformable attribute the `Data` that is stored; nil for null. So must the result be, or the latest value counts.
    public typealias MergeFunction = @Sendable ([Any?]) -> Any?

    /// Whether the store only receives: what is saved here is taken back, and listed by the status. It stays so for all programs that use
    /// the store.
    public var isReader = false
    /// For how long a peer may be silent before it is forgotten, in seconds; at least a minute. A peer that returns later is given the
    /// whole state, and its own edits are merged with that.
    public var silenceLimit: TimeInterval = 30 * 86_400
    /// The time between two looks at a transport that does not notice changes, in seconds.
    public var interval: TimeInterval = 10
    /// The program's own merge rules, by the NAME of `custom:NAME` in the user info `sync.merge` of attributes.
    ///
    /// A function must be commutative, associative and idempotent and depend on its values alone, and be the same in all programs that
    /// share the objects: f(a, b) = f(b, a), f(f(a, b), c) = f(a, f(b, c)), f(a, a) = a. Otherwise peers come to different results.
    public var mergeFunctions: [String: MergeFunction] = [:]
    /// The part of the objects that is kept here; nil for the part that the store had, which is all to begin with.
    public var part: SyncPart?
    /// When large values come; nil for what the store had, which is at once to begin with.
    public var largeValues: SyncLargeValues?
    /// Looks at each merge before it is committed, on the session's queue. The program must not use the store in it.
    ///
    /// Saves of this store are not asked about, nor is the state that a store gets when it joins or begins again.
    public var validate: (@Sendable (SyncMerge) -> SyncVerdict)?

    /// The clock, in milliseconds since 1970.
    package var clock: @Sendable () -> UInt64 = { UInt64(max(0, Date().timeIntervalSince1970 * 1_000)) }
    /// The free bytes on the disk of a folder; nil if that is not known.
    package var freeRoom: @Sendable (String) -> Int64? = { path in
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path)
        return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
    }
    /// Whether a session may be made although merge functions are missing; it then refuses to exchange.
    package var isForInspection = false

    /// Where values are cut into chunks.
    package var cutter = ChunkCutter.format
    /// The size above which a value that travels whole is not sent, in bytes; nil for the usual one.
    package var greatestValueSize: Int?

    /// The size of the parts in which a peer is given the whole state, in bytes.
    package var partSize: Int?

    /// Called on the session's queue after changes of peers were written.
    var didImport: (@Sendable (SavedChanges) -> Void)?

    /// Makes the usual options: a writer of all objects, forgotten after 30 days.
    public init() {}
}
