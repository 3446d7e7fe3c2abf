import CoreDataSyncing
import Foundation
import TestBasics
import Testing

@testable import CoreDataSyncSealing

@Suite("Members of a group")
struct MembershipTests {
    /// Makes devices whose items do not reach each other until they are carried.
    private struct Apart {
        let devices: SealedDevices
        let places: [MemoryTransport]
        let transports: [SealedTransport]

        init(_ count: Int) throws {
            let devices = try SealedDevices(count)
            try devices.settle()
            let places = (0..<count).map { _ in MemoryTransport() }
            for place in places { place.contents = devices.memory.contents }
            self.places = places
            self.devices = devices
            transports = try (0..<count).map {
                try SealedTransport(over: places[$0], group: devices[$0].groupFingerprint, keys: devices[$0].folder)
            }
        }

        /// Carries all items everywhere, until nothing new is written.
        func carry() throws {
            for _ in 0..<4 {
                var all: [String: [UInt8]] = [:]
                for place in places { all.merge(place.contents) { first, _ in first } }
                for place in places { place.contents.merge(all) { own, _ in own } }
                for transport in transports { _ = try? transport.items() }
            }
        }

        func identifier(_ number: Int) throws -> String {
            try transports[number].update { $0.device.identity.signer.short }
        }
    }

    @Test("devices that admit at the same time end equal")
    func concurrentAdmissionsAgree() throws {
        let apart = try Apart(2)
        var guests: [SealedTransport] = []
        for (number, transport) in apart.transports.enumerated() {
            let text = try transport.invite(validFor: 60)
            let guest = try SealedTransport.accept(
                text, over: apart.places[number], label: "guest \(number)", keys: apart.devices.keys("guest \(number)"))
            #expect(throws: SyncError.self) { try guest.items() }
            _ = try transport.items()
            try guest.write(text.group.bytes, named: "of guest \(number)")
            guests.append(guest)
        }
        try apart.carry()
        for guest in guests { _ = try guest.items() }
        try apart.carry()
        for transport in apart.transports + guests {
            #expect(try transport.members.count == 4)
            #expect(try transport.contents().count == 2)
            #expect(try transport.writingKey == apart.transports[0].writingKey)
        }
    }

    @Test("devices that revoke different ones at the same time end with a key that neither of those has")
    func concurrentRevocationsAgree() throws {
        let apart = try Apart(4)
        try apart.transports[0].revoke(try apart.identifier(2))
        try apart.transports[1].revoke(try apart.identifier(3))
        try apart.transports[0].write([0], named: "to the others, and the fourth")
        try apart.carry()
        let key = try #require(try apart.transports[0].writingKey)
        for number in 0..<2 {
            #expect(try apart.transports[number].members.count == 2)
            #expect(try apart.transports[number].writingKey == key)
            #expect(try apart.transports[number].contents().count == 1)
        }
        try apart.transports[1].write([1], named: "secret")
        try apart.carry()
        for number in 2..<4 {
            #expect(try apart.transports[number].update { $0.keys[key] == nil })
            #expect(try apart.transports[number].contents()["secret"] == nil)
        }
        #expect(try apart.transports[0].contents()["secret"] == [1])
    }

    @Test("of two devices that revoke each other both are out, everywhere")
    func mutualRevocationsAgree() throws {
        let apart = try Apart(3)
        try apart.transports[0].revoke(try apart.identifier(1))
        try apart.transports[1].revoke(try apart.identifier(0))
        try apart.carry()
        #expect(try apart.transports[2].members.map(\.short) == [apart.identifier(2)])
        try apart.transports[2].write([2], named: "alone")
        try apart.carry()
        for number in 0..<2 {
            let contents = try? apart.transports[number].contents()
            #expect(contents?["alone"] == nil)
        }
    }

    @Test("a stranger who writes to the place cannot admit himself")
    func strangerIsNotAdmitted() throws {
        let devices = try SealedDevices(2)
        try devices[0].write([1], named: "item")
        let group = devices[0].fingerprint
        let stranger = try DeviceKey.make(label: "stranger")
        let key = SealingKey.make()
        let known = try devices[0].update { state in try #require(state.writingKey) }
        let admission = Statement(.admission(stranger.identity), by: stranger, group: group)
        let stated = Statement(.key(key.identifier, after: []), by: stranger, group: group)
        // With a key of his own, and with the group's, should he have come by it.
        for (number, seal) in [key, known].enumerated() {
            for (place, statement) in [admission, stated].enumerated() {
                devices.memory.contents["\(number)-\(place).ocsync"] = SealedItem.seal(
                    statement.bytes, named: "", .statement, author: nil, key: seal, group: group)
            }
            devices.memory.contents["\(number)-item.ocsync"] = SealedItem.seal(
                [2], named: "of the stranger", .content, author: stranger, key: seal, group: group)
        }
        for number in 0..<2 {
            let receiver = try devices[number].update { $0.device.identity }
            devices.memory.contents["envelope-\(number).ocsync"] = try KeyEnvelope.seal(
                [key], for: receiver, from: stranger, group: group)
        }
        try devices.settle()
        for number in 0..<2 {
            let again = try devices.reopened(number)
            #expect(try again.members.count == 2)
            #expect(try again.contents() == ["item": [1]])
            #expect(try again.writingKey == known.identifier)
            let kept = try #require(try devices[number].folder.record(of: group))
            #expect(!kept.keys.contains(Data(key.secret.bytes)))
            #expect(!kept.statements.contains(Data(admission.bytes)))
        }
        for bytes in devices.memory.contents.values where bytes.starts(with: KeyEnvelope.magic) {
            #expect(stranger.openBox(Array(bytes.dropFirst(8))) == nil)
        }
        let other = try SealedTransport.found(over: devices.base, label: "other", keys: devices.keys("other"))
        try other.write([3], named: "other group")
        #expect(try other.contents() == ["other group": [3]])
        #expect(try devices[0].contents() == ["item": [1]])
    }

    @Test(
        "statements count the same in any order, doubled, and one by one",
        arguments: TestSeed.sequences(20, exhaustive: 400))
    func orderDoesNotMatter(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let devices = (0..<6).map { number in
            DeviceKey(
                seed: SecretBytes(Sodium.hash([UInt8(number), UInt8(truncatingIfNeeded: seed)])), label: "\(number)")
        }
        let founding = Statement(.founding(devices[0].identity, salt: [UInt8](repeating: 0, count: 16)), by: devices[0])
        let group = founding.identity
        var statements = [founding]
        for _ in 0..<14 {
            let (signer, other) = (devices[random.next(below: 6)], devices[random.next(below: 6)].identity)
            let known = Set(
                statements.filter { $0.signer == other.signer && random.next(below: 3) > 0 }.map(\.identity))
            let act: Statement.Act =
                switch random.next(below: 5) {
                case 0: .revocation(other.signer, statements: known, items: [])
                case 1: .key(Array(Sodium.hash([UInt8(statements.count)]).prefix(16)), after: known)
                default: .admission(other)
                }
            statements.append(Statement(act, by: signer, group: group))
        }
        let expected = Membership(group: group, statements)
        for _ in 0..<4 {
            var membership = Membership(group: group)
            for statement in (statements + statements.prefix(5)).shuffled(using: &random) {
                membership.add([statement])
            }
            #expect(membership.members == expected.members, "seed \(seed)")
            #expect(membership.cleanKeys == expected.cleanKeys)
            #expect(membership.devices == expected.devices && membership.revoked == expected.revoked)
        }
        // No statement brings a revoked device back.
        for count in 1...statements.count {
            let part = Membership(group: group, Array(statements.prefix(count)))
            #expect(part.revoked.isSubset(of: expected.revoked), "seed \(seed)")
        }
    }
}
