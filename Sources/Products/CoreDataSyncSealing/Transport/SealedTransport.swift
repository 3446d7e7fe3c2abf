import CoreDataSyncing
import Foundation
import Synchronization

/// A transport whose items are sealed: those who carry or store them read neither names nor contents.
///
/// It lies over another one, a folder or a hub. Devices of a group share keys; each item is signed by its author, and what is not of a
/// member is refused. The first device founds the group; another one joins by a text (``invite(validFor:)``,
/// ``accept(_:over:label:keys:)``) or by a code that both show (``PairingHost``, ``PairingGuest``); ``revoke(_:)`` excludes one.
///
/// ```swift
/// import CoreDataSyncSealing
/// import CoreDataSyncing
///
/// let transport = try SealedTransport.found(over: FolderTransport(url), label: "laptop", keys: .standard())
/// try await container.sync(over: transport).exchange()
/// print(try transport.invite(validFor: 3_600).text)
/// ```
public final class SealedTransport: SyncTransport {
    let base: any SyncTransport
    let folder: KeyFolder
    let fingerprint: Fingerprint
    let clock: @Sendable () -> UInt64
    private let state: Mutex<SealedState>

    /// Seconds since 1970.
    static let systemClock: @Sendable () -> UInt64 = { UInt64(max(0, Date().timeIntervalSince1970)) }

    /// Uses the keys that this device has of a group.
    ///
    /// - Parameter group: The fingerprint of the group, as ``groupFingerprint`` gives it.
    /// - Throws: `SyncError` with the code `keys` if this device has none.
    public convenience init(over base: any SyncTransport, group: String, keys: KeyFolder) throws {
        guard let fingerprint = Fingerprint(group) else {
            throw SyncError(
                .keys, "'\(group)' is not the fingerprint of a group.", cure: "It has 64 hexadecimal digits.")
        }
        try self.init(base, fingerprint, keys)
    }

    init(
        _ base: any SyncTransport, _ group: Fingerprint, _ keys: KeyFolder,
        clock: @escaping @Sendable () -> UInt64 = SealedTransport.systemClock
    ) throws {
        (self.base, fingerprint, folder, self.clock) = (base, group, keys, clock)
        state = Mutex(try SealedState(group, keys))
    }

    /// The fingerprint of the group: 64 hexadecimal digits, the same on all its devices.
    public var groupFingerprint: String { fingerprint.description }

    /// The title of the transport beneath, and that it is sealed.
    public var title: String { "\(base.title) (sealed)" }

    /// `sealed:`, the fingerprint of the group, and the address beneath; no secrets.
    public var address: String? { base.address.map { SealedAddress(group: groupFingerprint, base: $0).text } }

    /// The items that members wrote, with their clear names, and what is of no use, which `read` refuses with the reason.
    ///
    /// - Throws: `SyncError` with the code `pairing` if this device is not admitted or was revoked, and what the transport beneath throws.
    public func items() throws -> [SyncItem] {
        try update { state in
            guard state.isMember else { throw state.refusalOfDevice(at: clock()) }
            return state.list()
        }
    }

    /// The clear bytes of an item.
    ///
    /// - Throws: `SyncError` with the code `refusedItem` if it was altered or its author is not a member, with `transport` if it may become
    ///   readable, and what the transport beneath throws.
    public func read(_ item: SyncItem, atMost limit: Int) throws -> [UInt8]? {
        try state.withLock { state in try state.read(item, from: base).map { Array($0.prefix(limit)) } }
    }

    /// Seals bytes, and puts them on the transport beneath.
    ///
    /// - Throws: `SyncError` with the code `pairing` if this device is not admitted or was revoked, with `transport` if the name has more than 245
    ///   bytes, and what the transport beneath throws.
    public func write(_ bytes: [UInt8], named name: String) throws {
        guard name.utf8.count <= SealedItem.greatestName, bytes.count <= SealedItem.greatestContent else {
            throw SyncError(
                .transport, "The item '\(name)' is too large, or its name is too long.",
                cure: "Use names of at most \(SealedItem.greatestName) bytes and items of at most 257 MiB.")
        }
        try state.withLock { state in
            if state.writingKey == nil { try state.look(at: base) }
            guard state.isMember else { throw state.refusalOfDevice(at: clock()) }
            guard !state.isBehind else {
                throw SyncError(
                    .transport, "A change of the group's members has not arrived whole yet.",
                    cure: "Exchange again when the other items have arrived.")
            }
            if state.writingKey == nil { try state.makeKey() }
            guard let key = state.writingKey else {
                throw SyncError(
                    .keys, "The group has more keys than this device can read.",
                    cure: "Begin a new group in an empty folder.")
            }
            let sealed = SealedItem.seal(
                bytes, named: name, .content, author: state.device, key: key, group: fingerprint)
            try base.write(
                sealed, named: SealedItem.name(of: name, author: state.device.identity.signer, key: key))
        }
    }

    /// Removes all copies of an item.
    public func remove(_ name: String) throws {
        try state.withLock { state in
            if state.entries.isEmpty { try state.look(at: base) }
            let own = state.device.identity.signer
            var places = Set(state.places[name] ?? [])
            for entry in state.entries.values where entry.head?.name == name && entry.head?.author == own {
                places.insert(entry.item.name)
            }
            // One that was written since the last look.
            if let key = state.writingKey { places.insert(SealedItem.name(of: name, author: own, key: key)) }
            for place in places { try base.remove(place) }
        }
    }

    /// Notices what the transport beneath notices.
    public func watch(_ changed: (@Sendable () -> Void)?) -> Bool { base.watch(changed) }

    /// Looks at the transport beneath, writes what the group needs, and then runs a block.
    func update<Result: Sendable>(_ body: (inout SealedState) throws -> Result) throws -> Result {
        try state.withLock { state in
            try state.look(at: base)
            do {
                try state.maintain(base, at: clock())
            } catch  where state.isMember && (error as? SyncError)?.code != .keys {
                // Where nothing can be written, a member still reads; the next look tries again.
            }
            return try body(&state)
        }
    }

    var now: UInt64 { clock() }
}
