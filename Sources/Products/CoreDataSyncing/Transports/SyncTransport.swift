import Foundation

/// What carries items from peer to peer: a folder that is shared, a hub, or memory. All of them give equal results, since all that sync
/// knows is in the items.
///
/// An item has a name and bytes that never change. Items may arrive in any order, in part, doubled, under another name, or never: the
/// peers notice by their content and send again what is missing. A transport is used by one thread at a time and may block it.
/// ``MemoryTransport`` is the smallest one.
public protocol SyncTransport: AnyObject, Sendable {
    /// How the transport is shown to people, without secrets.
    var title: String { get }
    /// The text from which a program can make the transport again, which the store keeps; nil for one that cannot be.
    var address: String? { get }
    /// The items that are there.
    ///
    /// - Throws: `SyncError` with the code `transport`, or an error of the system.
    func items() throws -> [SyncItem]
    /// The bytes of an item; nil if it is gone.
    ///
    /// - Throws: `SyncError` with the code `transport`, or an error of the system.
    func read(_ item: SyncItem, atMost limit: Int) throws -> [UInt8]?
    /// Puts an item there, whole or not at all; one of the same name has the same bytes.
    ///
    /// - Throws: `SyncError` with the code `transport` if there is no room, or an error of the system.
    func write(_ bytes: [UInt8], named name: String) throws
    /// Removes an item that this peer wrote; one that is gone is no error.
    func remove(_ name: String) throws
    /// Calls a block, on any thread, when items may have changed; nil ends that. Returns false if the transport cannot notice changes: it is then
    /// looked at from time to time.
    func watch(_ changed: (@Sendable () -> Void)?) -> Bool
}

extension SyncTransport {
    /// The default: the transport does not notice changes.
    public func watch(_ changed: (@Sendable () -> Void)?) -> Bool { false }
    /// The default: the transport cannot be made again.
    public var address: String? { nil }
}

/// An item of a transport, as it is listed.
public struct SyncItem: Hashable, Sendable {
    /// The name, which is unique among the items.
    public let name: String
    /// The count of bytes.
    public let size: Int
    /// A text that changes when the bytes may have changed.
    public let stamp: String

    /// Makes an item.
    public init(name: String, size: Int, stamp: String) {
        self.name = name
        self.size = size
        self.stamp = stamp
    }
}
