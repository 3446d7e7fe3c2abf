import CoreDataSyncing
import Foundation
import Synchronization
import TestBasics
import Testing

@testable import CoreDataSyncSealing

/// Devices of a group over one place, each with keys of its own.
final class SealedDevices {
    let base: any SyncTransport
    let folder: TemporaryFolder
    let clock = TestClock()
    private(set) var devices: [SealedTransport] = []

    /// Founds a group, and lets more devices join by texts.
    init(_ count: Int, over base: (any SyncTransport)? = nil) throws {
        self.base = base ?? MemoryTransport()
        folder = try TemporaryFolder()
        let clock = clock
        devices.append(
            try SealedTransport.found(
                self.base, try DeviceKey.make(label: "device 0"), SealingKey.make(), salt: Sodium.random(16),
                keys("device 0"), clock: { clock.now }))
        for _ in 1..<max(1, count) { try join() }
    }

    subscript(number: Int) -> SealedTransport { devices[number] }

    /// The transport in memory beneath.
    var memory: MemoryTransport { base as? MemoryTransport ?? MemoryTransport() }

    func keys(_ label: String) -> KeyFolder { KeyFolder(folder.url.appendingPathComponent("keys of \(label)")) }

    /// Lets one more device join by a text of the first one, or of another.
    @discardableResult func join(by host: Int = 0) throws -> SealedTransport {
        let text = try devices[host].invite(validFor: 60)
        let guest = try accept(text, "device \(devices.count)")
        _ = try? guest.items()
        _ = try devices[host].items()
        _ = try guest.items()
        devices.append(guest)
        return guest
    }

    func accept(_ text: PairingText, _ label: String) throws -> SealedTransport {
        let clock = clock
        return try SealedTransport.accept(text, base, label, keys(label), clock: { clock.now })
    }

    /// The device again, as another process opens it.
    func reopened(_ number: Int) throws -> SealedTransport {
        try SealedTransport(over: base, group: devices[number].groupFingerprint, keys: devices[number].folder)
    }

    /// Lets all devices look, until nothing is written any more.
    func settle() throws {
        for _ in 0..<3 { for device in devices { _ = try? device.items() } }
    }
}

/// A clock that tests set, in seconds.
final class TestClock: Sendable {
    private let seconds = Mutex<UInt64>(1_700_000_000)

    var now: UInt64 {
        get { seconds.withLock { $0 } }
        set { seconds.withLock { $0 = newValue } }
    }
}

extension SealedTransport {
    /// The clear contents by their names, without what is refused.
    func contents() throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for item in try items() where !item.name.hasPrefix("sealed:") {
            contents[item.name] = try read(item, atMost: 1 << 20)
            if let bytes = contents[item.name] { #expect(bytes.count == item.size) }
        }
        return contents
    }

    /// The errors of the items that are refused, by the names beneath.
    func refusals() throws -> [String: SyncError] {
        var refusals: [String: SyncError] = [:]
        for item in try items() {
            do { _ = try read(item, atMost: 1 << 20) } catch let error as SyncError {
                refusals[item.name.replacingOccurrences(of: "sealed:", with: "")] = error
            }
        }
        return refusals
    }

    /// The name beneath of this device's item.
    func place(of name: String) throws -> String {
        try update { state in
            try #require(state.entries.values.first { $0.head?.name == name }?.item.name)
        }
    }

    var members: [Fingerprint] {
        get throws { try update { $0.membership.members.map(\.signer) } }
    }
    var writingKey: [UInt8]? {
        get throws { try update { $0.writingKey?.identifier } }
    }
}

func text(_ string: String) -> [UInt8] { Array(string.utf8) }
