import Synchronization

/// A transport in memory, for tests of programs: peers that share one exchange their items through it.
///
/// ```swift
/// import CoreDataSyncing
///
/// let session = try await container.sync(over: MemoryTransport())
/// try await session.exchange()
/// ```
public final class MemoryTransport: SyncTransport {
    private struct State {
        var items: [String: [UInt8]] = [:]
        var isOnline = true
    }

    private let state = Mutex(State())

    /// Makes a transport without items.
    public init() {}

    /// Whether the peers reach it; while they do not, exchanges fail and edits wait.
    public var isOnline: Bool {
        get { state.withLock { $0.isOnline } }
        set { state.withLock { $0.isOnline = newValue } }
    }

    /// The items by name; a test may remove, double or change some.
    public var contents: [String: [UInt8]] {
        get { state.withLock { $0.items } }
        set { state.withLock { $0.items = newValue } }
    }

    /// The name of the transport.
    public var title: String { "memory" }

    /// The items that are there.
    public func items() throws -> [SyncItem] {
        try reached { state in
            state.items.map { SyncItem(name: $0.key, size: $0.value.count, stamp: "\($0.value.hashValue)") }
        }
    }

    /// The bytes of an item.
    public func read(_ item: SyncItem, atMost limit: Int) throws -> [UInt8]? {
        try reached { state in state.items[item.name].map { Array($0.prefix(limit)) } }
    }

    /// Puts an item there.
    public func write(_ bytes: [UInt8], named name: String) throws {
        try reached { $0.items[name] = bytes }
    }

    /// Removes an item.
    public func remove(_ name: String) throws { try reached { $0.items[name] = nil } }

    private func reached<Result: Sendable>(_ body: (inout State) -> Result) throws -> Result {
        try state.withLock { state in
            guard state.isOnline else {
                throw SyncError(.transport, "The transport in memory is offline.", cure: "Set 'isOnline' to true.")
            }
            return body(&state)
        }
    }
}
