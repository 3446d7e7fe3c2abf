import CoreDataSyncing
import Foundation
import TestBasics
import Testing

@testable import CoreDataSyncSealing

@Suite("Pairing by a code")
struct PairingCodeTests {
    private func code(_ stage: PairingStage) -> String? {
        if case .comparing(let code, _) = stage { code } else { nil }
    }

    @Test(
        "both devices show the same six digits, and the new one takes part after both confirmed",
        arguments: [true, false])
    func codesAreEqual(_ hostBegins: Bool) throws {
        let devices = try SealedDevices(2)
        try devices[1].write([1], named: "item")
        let host = try PairingHost(devices[1])
        let guest = try PairingGuest(over: devices.base, label: "tablet", keys: devices.keys("tablet"))
        if hostBegins { #expect(try host.advance() == .waiting) }
        #expect(try guest.advance() == .waiting)
        #expect(throws: SyncError.self) { try guest.confirm() }
        #expect(try host.advance() == .waiting)
        #expect(throws: SyncError.self) { try host.confirm() }
        let shown = try #require(code(try guest.advance()))
        #expect(shown.wholeMatch(of: /[0-9]{3} [0-9]{3}/) != nil)
        #expect(try host.advance() == .comparing(code: shown, label: "tablet"))
        #expect(try devices[0].members.count == 2)
        let joined = try guest.confirm()
        #expect(throws: SyncError.self) { try joined.items() }
        try host.confirm()
        try guest.cancel()
        #expect(try joined.contents() == ["item": [1]])
        #expect(try joined.devices().first?.label == "tablet")
        #expect(try devices[0].members.count == 3)
        #expect(devices.memory.contents.values.allSatisfy { !$0.starts(with: PairingItem.magic) })
    }

    @Test("codes differ when a third party puts its own keys in between")
    func thirdPartyIsNoticed() throws {
        // The third party has a place of its own with each side.
        let devices = try SealedDevices(1)
        let other = MemoryTransport()
        let host = try PairingHost(devices[0])
        let guest = try PairingGuest(over: other, label: "tablet", keys: devices.keys("tablet"))
        let falseGuest = try PairingGuest(over: devices.base, label: "tablet", keys: devices.keys("false guest"))
        let falseDevices = try SealedDevices(1, over: other)
        let falseHost = try PairingHost(falseDevices[0])
        _ = try host.advance()
        _ = try falseHost.advance()
        _ = try guest.advance()
        _ = try falseGuest.advance()
        for _ in 0..<2 {
            _ = try falseHost.advance()
            _ = try host.advance()
            _ = try guest.advance()
            _ = try falseGuest.advance()
        }
        let seenByGuest = try #require(code(try guest.advance()))
        let seenByHost = try #require(code(try host.advance()))
        #expect(seenByGuest != seenByHost)
    }

    @Test("another number, key, group or device gives another code")
    func codeDependsOnAll() {
        var known = CodeExchange.Transcript()
        (known.tag, known.guestChannel, known.commitment) = (Array(0..<16), Array(1..<33), Array(2..<34))
        (known.hostChannel, known.hostNumber, known.guestNumber) = (Array(3..<35), Array(4..<36), Array(5..<37))
        known.group = Fingerprint([1])
        known.device = DeviceKey(seed: SecretBytes(Array(0..<32)), label: "tablet").identity
        var codes: Set<String> = [known.code]
        for change in 0..<8 {
            var other = known
            switch change {
            case 0: other.tag[0] ^= 1
            case 1: other.guestChannel[0] ^= 1
            case 2: other.commitment[0] ^= 1
            case 3: other.hostChannel[0] ^= 1
            case 4: other.hostNumber[0] ^= 1
            case 5: other.group = Fingerprint([2])
            case 6: other.guestNumber[0] ^= 1
            default: other.device = DeviceKey(seed: SecretBytes(Array(1..<33)), label: "tablet").identity
            }
            codes.insert(other.code)
        }
        #expect(codes.count == 9)
    }

    @Test("keys that the joining device had not committed itself to are refused")
    func disclosureMustFit() throws {
        let devices = try SealedDevices(1)
        let host = try PairingHost(devices[0])
        let (guest, other) = (try CodeExchange.Guest(label: "tablet"), try CodeExchange.Guest(label: "tablet"))
        try devices.base.write(guest.hello.bytes, named: "hello.ocsync")
        #expect(try host.advance() == .waiting)
        let answer = try #require(try devices[0].pairingItems().first { $0.kind == .answer })
        let wrong = PairingItem(
            .disclosure, tag: guest.tag, try other.disclosure(to: Array(answer.content.prefix(32))).content)
        try devices.base.write(wrong.bytes, named: "disclosure.ocsync")
        let error = #expect(throws: SyncError.self) { try host.advance() }
        #expect(error?.code == .pairing)
        #expect(throws: SyncError.self) { try host.confirm() }
        #expect(try devices[0].members.count == 1)
    }

    @Test("two devices at once are refused, and what earlier attempts left is passed over")
    func oneAttemptAtATime() throws {
        let devices = try SealedDevices(1)
        for _ in 0..<2 {
            _ = try PairingGuest(over: devices.base, label: "left over", keys: devices.keys("left over")).advance()
        }
        let host = try PairingHost(devices[0])
        #expect(try host.advance() == .waiting)
        let guest = try PairingGuest(over: devices.base, label: "tablet", keys: devices.keys("tablet"))
        _ = try guest.advance()
        #expect(try host.advance() == .waiting)
        let shown = try #require(code(try guest.advance()))
        #expect(code(try host.advance()) == shown)

        let second = try PairingHost(devices[0])
        #expect(try second.advance() == .waiting)
        for label in ["one", "two"] {
            _ = try PairingGuest(over: devices.base, label: label, keys: devices.keys(label)).advance()
        }
        #expect(throws: SyncError.self) { try second.advance() }
    }

    @Test("two answers end the attempt of the joining device")
    func twoAnswersAreRefused() throws {
        let devices = try SealedDevices(2)
        let hosts = [try PairingHost(devices[0]), try PairingHost(devices[1])]
        for host in hosts { _ = try host.advance() }
        let guest = try PairingGuest(over: devices.base, label: "tablet", keys: devices.keys("tablet"))
        _ = try guest.advance()
        for host in hosts { _ = try host.advance() }
        #expect(throws: SyncError.self) { try guest.advance() }
        #expect(throws: SyncError.self) { try guest.confirm() }
    }
}
