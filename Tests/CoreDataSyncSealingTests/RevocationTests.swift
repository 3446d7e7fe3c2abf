import CoreDataSyncing
import Foundation
import TestBasics
import Testing

@testable import CoreDataSyncSealing

@Suite("Revoked devices")
struct RevocationTests {
    private func identifier(_ transport: SealedTransport) throws -> String {
        try #require(try transport.devices().first).identifier
    }

    @Test("a revoked device reads nothing later, though it has all older keys and the whole place")
    func revokedDeviceReadsNothingLater() throws {
        let devices = try SealedDevices(3)
        try devices[0].write(text("older"), named: "older")
        try devices[2].write(text("of the revoked"), named: "own")
        try devices.settle()
        try devices[0].revoke(try identifier(devices[2]))
        try devices[0].write(text("later 0"), named: "later 0")
        _ = try devices[1].items()
        try devices[1].write(text("later 1"), named: "later 1")
        try devices.settle()

        let all = [
            "older": text("older"), "own": text("of the revoked"), "later 0": text("later 0"),
            "later 1": text("later 1"),
        ]
        #expect(try devices[0].contents() == all)
        #expect(try devices[1].contents() == all)
        #expect(try devices[1].devices().map(\.isRevoked).filter { $0 }.count == 1)

        let held = try devices.reopened(2)
        #expect(try held.contents() == ["older": text("older"), "own": text("of the revoked")])
        #expect(Set(try held.refusals().values.map(\.code)) == [.transport])
        // Whatever it tries its keys on.
        let (keys, group) = try held.update { (Array($0.keys.values), $0.group) }
        for name in [try devices[0].place(of: "later 0"), try devices[0].place(of: "later 1")] {
            let bytes = try #require(devices.memory.contents[name])
            for key in keys {
                #expect(throws: SealFailure.self) { try SealedHead(bytes, total: bytes.count, key: key, group: group) }
            }
        }
        let later = Set(try devices[0].update { $0.membership.cleanKeys })
        #expect(later.isDisjoint(with: keys.map(\.identifier)))
    }

    @Test("what a revoked device writes afterwards is refused, and what it had written stays")
    func laterWritesAreRefused() throws {
        let devices = try SealedDevices(3)
        try devices[2].write(text("before"), named: "before")
        _ = try devices[0].items()
        try devices[0].revoke(try identifier(devices[2]))
        try devices[2].write(text("after"), named: "after")
        for number in 0..<2 {
            #expect(try devices[number].contents() == ["before": text("before")])
            let refused = try devices[number].refusals()
            #expect(refused.count == 1 && refused.values.first?.code == .refusedItem)
            #expect(refused.values.first?.description.contains("revoked") == true)
        }
    }

    @Test("a revoked device admits no other, and its statements from afterwards do not count")
    func revokedDeviceAdmitsNobody() throws {
        let devices = try SealedDevices(3)
        try devices[0].revoke(try identifier(devices[2]))
        let text = try devices[2].invite(validFor: 60)
        let friend = try devices.accept(text, "friend")
        _ = try? friend.items()
        _ = try devices[2].items()
        // The revoked device believes that it admitted the other one.
        #expect(try devices[2].devices().count == 4)
        try devices.settle()
        #expect(try devices[0].members.count == 2)
        #expect(try devices[1].members == devices[0].members)
        try devices[1].write([1], named: "later")
        #expect(try friend.contents().isEmpty)
        #expect(try devices[0].contents().count == 1)
    }

    @Test("older membership that is put back changes nothing for who knew the newer one")
    func olderMembershipIsNotTakenBack() throws {
        let devices = try SealedDevices(3)
        try devices[2].write([1], named: "before")
        try devices.settle()
        let older = devices.memory.contents
        try devices[0].revoke(try identifier(devices[2]))
        _ = try devices[1].items()
        let key = try devices[0].writingKey
        devices.memory.contents = older
        for number in 0..<2 {
            let again = try devices.reopened(number)
            #expect(try again.members.count == 2)
            #expect(try again.writingKey == key)
        }
        // What was lost is written again.
        try devices[2].write([2], named: "after")
        #expect(try devices.reopened(1).contents() == ["before": [1]])
        #expect(devices.memory.contents.count > older.count)
    }

    @Test("a device that joins after a revocation reads older items, and a revoked one can be paired again")
    func joiningAfterRevocation() throws {
        let devices = try SealedDevices(3)
        try devices[1].write(text("older"), named: "older")
        try devices[0].revoke(try identifier(devices[2]))
        try devices[0].write(text("later"), named: "later")
        let third = try devices.join(by: 1)
        #expect(try third.contents() == ["older": text("older"), "later": text("later")])
        let text = try devices[0].invite(validFor: 60)
        let renewed = try devices[2].renewed(by: text, label: "device 2")
        #expect(throws: SyncError.self) { try renewed.items() }
        _ = try devices[0].items()
        #expect(try renewed.contents().count == 2)
        #expect(try renewed.devices().filter(\.isRevoked).count == 1)
    }

    @Test("an envelope that arrives before the revocation is not passed on to the revoked device")
    func earlyEnvelopeIsNotPassedOn() throws {
        let devices = try SealedDevices(3)
        let before = Set(devices.memory.contents.keys)
        try devices[0].revoke(try identifier(devices[2]))
        let revocations = try devices[0].update { $0.membership.countedRevocations }
        let key = try #require(try devices[0].writingKey)
        // The statement of the revocation is late; the envelope and the key's statement are there.
        var late: [String: [UInt8]] = [:]
        try devices[0].update { state in
            for (name, entry) in state.entries {
                if case .statement(let identity) = entry.found, revocations.contains(identity) { late[name] = [] }
            }
        }
        #expect(late.count == 1 && before.isDisjoint(with: late.keys))
        for name in late.keys { late[name] = devices.memory.contents.removeValue(forKey: name) }
        #expect(try devices[1].update { $0.keys[key] != nil })
        #expect(try devices[1].members.count == 3)
        // What it wrote with an older key the revoked device could read.
        let error = #expect(throws: SyncError.self) { try devices[1].write([1], named: "later") }
        #expect(error?.code == .transport)
        #expect(try devices[2].update { $0.keys[key] == nil })
        devices.memory.contents.merge(late) { $1 }
        #expect(try devices[1].members.count == 2)
        #expect(try devices[1].writingKey == key)
        try devices[1].write([1], named: "now")
        #expect(try devices[2].contents().isEmpty)
        #expect(try devices[2].update { $0.keys[key] == nil })
    }

    @Test("only other members can be revoked")
    func othersAreRevoked() throws {
        let devices = try SealedDevices(2)
        let own = try identifier(devices[0])
        for wrong in [own, "0000000000000000", ""] {
            let error = #expect(throws: SyncError.self) { try devices[0].revoke(wrong) }
            #expect(error?.code == .unknownItem)
        }
        #expect(try devices[0].members.count == 2)
    }
}
