import CoreDataSyncing
import Foundation
import TestBasics
import Testing

@testable import CoreDataSyncSealing

@Suite("Sealed transport")
struct RoundTripTests {
    @Test("devices read what each other wrote, over memory and a folder", arguments: [2, 5], [false, true])
    func devicesReadEachOther(_ count: Int, _ isFolder: Bool) throws {
        let folder = try TemporaryFolder()
        let shared = folder.url.appendingPathComponent("shared")
        let group = try SealedDevices(count, over: isFolder ? FolderTransport(shared) : nil)
        var expected: [String: [UInt8]] = [:]
        for number in 0..<count {
            for size in [0, 1, 511, 512, 513, 5_000, 70_000] {
                let name = "0000000000000\(number)-t-\(size).ocsync"
                let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
                try group[number].write(bytes, named: name)
                expected[name] = bytes
            }
        }
        for number in 0..<count { #expect(try group[number].contents() == expected) }
        #expect(try group.reopened(count - 1).contents() == expected)
        let removed = "00000000000000-t-5000.ocsync"
        try group[0].remove(removed)
        expected[removed] = nil
        for number in 0..<count {
            #expect(try group[number].contents() == expected)
            #expect(try group[number].refusals().isEmpty)
        }
        guard isFolder else { return }
        let names = try FileManager.default.contentsOfDirectory(atPath: shared.path)
        #expect(names.allSatisfy { $0 == $0.lowercased() && $0.hasSuffix(".ocsync") && !$0.hasPrefix(".") })
    }

    @Test("neither names nor contents nor keys are found beneath")
    func nothingIsDisclosed() throws {
        let group = try SealedDevices(3)
        let marker = "Rumpelstiltskin lives here"
        for number in 0..<3 {
            try group[number].write(text(String(repeating: marker, count: 40)), named: "\(marker)-\(number)")
        }
        try group.settle()
        var hidden = [text(marker), text("device"), text("Rumpel"), group[0].fingerprint.bytes]
        for number in 0..<3 {
            try group[number].update { state in
                hidden += [
                    state.device.seed.bytes, state.device.identity.signer.bytes, state.device.identity.receiver.bytes,
                ]
                hidden += state.keys.values.map(\.secret.bytes)
            }
        }
        #expect(group.memory.contents.count >= 8)
        for (name, bytes) in group.memory.contents {
            for secret in hidden {
                #expect(!bytes.containsSequence(secret), "\(name)")
                #expect(!text(name).containsSequence(secret))
                #expect(!name.contains(Hexadecimal.text(secret)))
            }
        }
    }

    @Test("sizes come in steps, and an item that is written again has the same bytes")
    func sizesComeInSteps() throws {
        let sizes = Set((0...20_000).map { Padding.size(of: $0) })
        #expect(sizes.count < 30)
        #expect(
            (0...20_000).allSatisfy {
                Padding.size(of: $0) >= $0 && Padding.size(of: $0) <= max(512, $0 + max(512, $0 / 8))
            })
        let group = try SealedDevices(1)
        try group[0].write(text("content"), named: "name")
        let before = group.memory.contents
        try group[0].write(text("content"), named: "name")
        #expect(group.memory.contents == before)
        try group[0].write(text("contents"), named: "other")
        let sealed = group.memory.contents.filter { before[$0.key] == nil }
        let place = try group[0].place(of: "name")
        #expect(sealed.count == 1 && sealed.values.first?.count == before[place]?.count)
    }

    @Test("an item of 9 MB is read whole, and in part")
    func largeItemIsRead() throws {
        let devices = try SealedDevices(2)
        let bytes = [UInt8](repeating: 7, count: 9_000_000) + [1, 2, 3]
        try devices[0].write(bytes, named: "large")
        let item = try #require(try devices[1].items().first)
        #expect(item.size == bytes.count)
        #expect(try devices[1].read(item, atMost: bytes.count + 1) == bytes)
        #expect(try devices[1].read(item, atMost: 1_000) == Array(bytes.prefix(1_000)))
        let sealed = try #require(devices.memory.contents[try devices[0].place(of: "large")])
        #expect(sealed.count < bytes.count + bytes.count / 8 + 1_000)
    }

    @Test("items of one name by two devices are both shown")
    func equalNamesAreBothShown() throws {
        let group = try SealedDevices(2)
        try group[0].write(text("zero"), named: "same")
        try group[1].write(text("one"), named: "same")
        for number in 0..<2 {
            let contents = try group[number].contents()
            #expect(contents.count == 2)
            #expect(contents["same"] == text(["zero", "one"][number]))
            #expect(Set(contents.values) == [text("zero"), text("one")])
        }
        try group[0].remove("same")
        #expect(try group[1].contents() == ["same": text("one")])
    }

    @Test("names that are too long are refused, and the address has no secrets")
    func addressHasNoSecrets() throws {
        let folder = try TemporaryFolder()
        let group = try SealedDevices(2, over: FolderTransport(folder.url))
        #expect(throws: SyncError.self) { try group[0].write([], named: String(repeating: "n", count: 246)) }
        try group[0].write([], named: String(repeating: "n", count: 245))
        let address = try #require(SealedAddress(group[1].address ?? ""))
        #expect(address.base == folder.url.path && address.group == group[0].groupFingerprint)
        let again = try SealedTransport(
            over: FolderTransport(URL(fileURLWithPath: address.base)), group: address.group, keys: group[1].folder)
        #expect(try again.contents() == group[0].contents())
        for text in ["/folder", "sealed:", "sealed:00:/folder", "sealed:\(address.group)"] {
            #expect(SealedAddress(text) == nil)
        }
    }
}

extension RoundTripTests {
    @Test("a member reads where nothing can be written")
    func readOnlyPlaceIsRead() throws {
        let devices = try SealedDevices(2)
        try devices[0].write(text("content"), named: "name")
        let place = ReadOnlyTransport(devices.memory)
        // The envelope of the other device is missing, and cannot be written again.
        devices.memory.contents = devices.memory.contents.filter { !$0.value.starts(with: KeyEnvelope.magic) }
        let reader = try SealedTransport(over: place, group: devices[0].groupFingerprint, keys: devices[0].folder)
        #expect(try reader.contents() == ["name": text("content")])
        #expect(throws: SyncError.self) { try reader.write([1], named: "other") }
        #expect(throws: SyncError.self) { try reader.revoke(try #require(try reader.devices().last).identifier) }
        _ = try devices[0].items()
        #expect(devices.memory.contents.values.contains { $0.starts(with: KeyEnvelope.magic) })
        devices.memory.isOnline = false
        #expect(throws: SyncError.self) { try reader.items() }
    }
}

/// A place where this user may not write.
private final class ReadOnlyTransport: SyncTransport {
    let base: MemoryTransport

    init(_ base: MemoryTransport) { self.base = base }

    var title: String { "read only" }
    func items() throws -> [SyncItem] { try base.items() }
    func read(_ item: SyncItem, atMost limit: Int) throws -> [UInt8]? { try base.read(item, atMost: limit) }
    func write(_ bytes: [UInt8], named name: String) throws { throw SyncError(.transport, "Read only.", cure: "None.") }
    func remove(_ name: String) throws { throw SyncError(.transport, "Read only.", cure: "None.") }
}

extension [UInt8] {
    /// Whether the bytes have others in them, one after the other.
    func containsSequence(_ other: [UInt8]) -> Bool {
        guard let first = other.first, count >= other.count else { return false }
        return (0...count - other.count).contains {
            self[$0] == first && self[$0..<$0 + other.count].elementsEqual(other)
        }
    }
}
