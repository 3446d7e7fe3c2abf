import CoreDataSyncing
import Foundation
import Synchronization

/// A group of a hub that devices share: a server of one's own, `coredata sync serve`, which stores what it cannot read.
///
/// ```swift
/// import CoreDataSyncHub
/// import CoreDataSyncing
///
/// let transport = try HubTransport("https://hub.example:7443/family#3f1c…")
/// let session = try await container.sync(over: transport)
/// try await session.exchange()
/// ```
/// Over TLS 1.3 both sides know each other by their keys: the hub must have the key whose pin the address ends in, and must admit that of
/// this device. Changes of other devices are noticed at once.
public final class HubTransport: SyncTransport {
    private let client: HubClient
    private let known = Mutex(KnownItems())
    private let watcher = HubWatcher()

    /// Uses a group of a hub, whose address is `https://HOST:PORT/GROUP#PIN`.
    ///
    /// - Parameter key: The key of this device; nil for ``HubKey/ofThisDevice()``, which is made if there is none.
    /// - Throws: `SyncError` if the address is none, or the key can neither be read nor made. The hub is not asked yet.
    public init(_ address: String, key: HubKey? = nil) throws {
        let address = try HubAddress(address)
        client = HubClient(address, key: address.pin == nil ? nil : try key ?? .ofThisDevice())
    }

    /// The address without the pin.
    public var title: String { client.address.url.absoluteString }
    /// The address with the pin.
    public var address: String? { client.address.description }

    /// The items of the group. The hub is asked for what is new since the last call.
    public func items() throws -> [SyncItem] {
        try client.failures.naming("list the items") {
            let asked = known.withLock(\.cursor)
            let list = try client.list(since: asked)
            return try known.withLock { known in
                guard known.apply(list, since: asked) else { throw HubFailures.unreadableList }
                return known.all
            }
        }
    }

    /// The bytes of an item.
    public func read(_ item: SyncItem, atMost limit: Int) throws -> [UInt8]? { try client.read(item, atMost: limit) }

    /// Sends an item, which the hub has on its disk when this returns.
    public func write(_ bytes: [UInt8], named name: String) throws { try client.write(bytes, named: name) }

    /// Removes an item.
    public func remove(_ name: String) throws { try client.remove(name) }

    /// Waits for changes, as long as the transport lives.
    public func watch(_ changed: (@Sendable () -> Void)?) -> Bool {
        watcher.watch(client, since: known.withLock(\.cursor), changed)
        return true
    }
}
