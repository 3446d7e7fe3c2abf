import CoreDataSyncing
import Foundation
import TestBasics
import Testing

@testable import CoreDataSyncSealing

@Suite("Altered sealed items")
struct AlteredItemTests {
    private let key = SealingKey(SecretBytes([UInt8](repeating: 7, count: 32)))
    private let device = DeviceKey(seed: SecretBytes([UInt8](repeating: 9, count: 32)), label: "device")
    private let group = Fingerprint([1, 2, 3])

    private func open(_ bytes: [UInt8], group: Fingerprint? = nil) throws -> [UInt8] {
        let head = try SealedHead(bytes, total: bytes.count, key: key, group: group ?? self.group)
        return try head.content(bytes, key: key, group: group ?? self.group)
    }

    private func seal(_ content: String, _ name: String, _ kind: SealedItem.Kind = .content) -> [UInt8] {
        SealedItem.seal(text(content), named: name, kind, author: device, key: key, group: group)
    }

    @Test("every flipped bit of an item is refused (HAZ-58)")
    func everyBitIsRefused() throws {
        let good = seal("content", "name")
        #expect(try open(good) == text("content"))
        for place in good.indices {
            for bit in 0..<8 {
                var bad = good
                bad[place] ^= 1 << UInt8(bit)
                #expect(throws: SealFailure.self, "byte \(place), bit \(bit)") { try open(bad) }
            }
        }
    }

    @Test("every flipped bit of an envelope, a statement and a request is refused")
    func everyBitOfOthersIsRefused() throws {
        let envelope = try KeyEnvelope.seal([key], for: device.identity, from: device, group: group)
        #expect(try KeyEnvelope.open(envelope, with: device, group: group)?.keys == [key.secret])
        let statement = Statement(.admission(device.identity), by: device, group: group).bytes
        #expect(try Statement(statement).bytes == statement)
        let secret = PairingSecret(SecretBytes([UInt8](repeating: 5, count: 16)))
        let request = AdmissionRequest.item(device, secret, group: group).bytes
        #expect(try AdmissionRequest.device(PairingItem(request), secret, group: group) == device.identity)
        for (kind, good) in [envelope, statement, request].enumerated() {
            for bit in 0..<good.count * 8 {
                // The first four bytes say what it is; those that are reserved in an envelope say nothing.
                if kind != 1, bit / 8 < 4 || kind == 0 && (5..<8).contains(bit / 8) { continue }
                var bad = good
                bad[bit / 8] ^= 1 << UInt8(bit % 8)
                let isTaken =
                    switch kind {
                    case 0: (try? KeyEnvelope.open(bad, with: device, group: group)).flatMap { $0 } != nil
                    case 1: (try? Statement(bad)) != nil
                    default: (try? AdmissionRequest.device(PairingItem(bad), secret, group: group)) != nil
                    }
                #expect(!isTaken, "kind \(kind), bit \(bit)")
            }
        }
    }

    @Test("a head with another content, another group or another kind is refused")
    func splicedItemsAreRefused() throws {
        let (first, second) = (seal("content 1", "name"), seal("content 2", "name"))
        let spliced = Array(first[..<SealedItem.headSize] + second[SealedItem.headSize...])
        #expect(throws: SealFailure.damaged) { try open(spliced) }
        #expect(throws: SealFailure.damaged) { try open(first, group: Fingerprint([4])) }
        #expect(seal("content 1", "other").prefix(SealedItem.headSize) != first.prefix(SealedItem.headSize))
        let statement = seal("content 1", "name", .statement)
        #expect(try SealedHead(statement, total: statement.count, key: key, group: group).kind == .statement)
    }

    @Test("who has the key alone cannot write in the name of a device")
    func signaturesAreNeeded() throws {
        let other = DeviceKey(seed: SecretBytes([UInt8](repeating: 8, count: 32)), label: "other")
        let good = seal("content", "name")
        let head = try SealedHead(good, total: good.count, key: key, group: group)
        #expect(head.author == device.identity.signer)
        let open = Array(good[..<SealedItem.openSize])
        var plain = try Sodium.decrypt(
            Array(good[SealedItem.openSize..<SealedItem.headSize]), with: open + group.bytes,
            nonce: Array(open.suffix(24)), key: key.head)
        // The same head, signed by another device.
        plain =
            Array(plain[..<SealedItem.signedSize]) + other.sign(open + group.bytes + plain[..<SealedItem.signedSize])
        let forged = Sodium.encrypt(plain, with: open + group.bytes, nonce: Array(open.suffix(24)), key: key.head)
        #expect(throws: SealFailure.damaged) { try self.open(open + forged + good[SealedItem.headSize...]) }
    }

    @Test("items that were cut off, emptied or lengthened are refused, and read again when they are whole (HAZ-58)")
    func truncatedItemsAreRefused() throws {
        let devices = try SealedDevices(2)
        try devices[0].write(text("content"), named: "name")
        let place = try devices[0].place(of: "name")
        let good = try #require(devices.memory.contents[place])
        for count in [0, 1, 4, 47, 48, 447, 448, 449, good.count - 1, good.count + 1] {
            devices.memory.contents[place] = Array((good + [0]).prefix(count))
            #expect(try devices[1].contents().isEmpty)
            #expect(try devices[1].refusals().keys.sorted() == [place], "\(count)")
            #expect(try devices[1].refusals()[place]?.code == .refusedItem)
        }
        devices.memory.contents[place] = good
        #expect(try devices[1].contents() == ["name": text("content")])
    }

    @Test("an item whose content is altered is refused under its clear name, and a copy of it is read")
    func copiesAreRead() throws {
        let devices = try SealedDevices(2)
        try devices[0].write(text("content"), named: "name")
        let place = try devices[0].place(of: "name")
        let good = try #require(devices.memory.contents[place])
        var bad = good
        bad[good.count - 20] ^= 1
        devices.memory.contents[place] = bad
        for _ in 0..<2 {
            #expect(try devices[1].items().map(\.name) == ["name"])
            #expect(try devices[1].refusals().keys.sorted() == ["name"])
        }
        // File-syncing programs leave copies under names of theirs.
        devices.memory.contents["\(place).sync-conflict-20260101-000000-ABCDEFG.ocsync"] = good
        devices.memory.contents["MOVED.OCSYNC"] = good
        #expect(try devices[1].contents() == ["name": text("content")])
        #expect(try devices[1].refusals().isEmpty)
        devices.memory.contents[place] = nil
        #expect(try devices.reopened(1).contents() == ["name": text("content")])
    }

    @Test("random bytes never trap, and are refused", arguments: TestSeed.sequences(4, exhaustive: 40))
    func randomBytesAreRefused(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let devices = try SealedDevices(2)
        try devices[0].write(text("content"), named: "name")
        let known = devices.memory.contents
        let beginnings = [[], SealedItem.magic, KeyEnvelope.magic, PairingItem.magic, text("OCSM")]
        var hostile: Set<String> = []
        for number in 0..<120 {
            let sizes = [0, 3, 4, 5, 8, 48, 200, 448, 511, 512, 513, 976, 1_500]
            var bytes = (0..<sizes[random.next(below: sizes.count)]).map { _ in UInt8(random.next(below: 256)) }
            if number % 3 == 0, let good = known.values.randomElement(using: &random) {
                // A known item, with a run of other bytes.
                bytes = good
                let start = random.next(below: max(1, good.count - 4)) + 4
                for place in start..<min(good.count, start + 1 + random.next(below: 40)) {
                    bytes[place] ^= UInt8(1 + random.next(below: 255))
                }
            } else {
                let beginning = beginnings[random.next(below: beginnings.count)]
                bytes.replaceSubrange(..<min(bytes.count, beginning.count), with: beginning.prefix(bytes.count))
                if bytes.count > 8, random.next(below: 2) == 0 {
                    bytes.replaceSubrange(4..<8, with: [1, UInt8(random.next(below: 5)), 0, 0])
                }
            }
            devices.memory.contents["hostile-\(number).ocsync"] = bytes
            hostile.insert("hostile-\(number).ocsync")
            _ = try? Statement(bytes)
            _ = try? PairingText(String(decoding: bytes, as: UTF8.self))
        }
        let shown = Set(try devices[1].contents().filter { $0.value != text("content") }.keys)
        #expect(shown.isEmpty, "seed \(seed)")
        let refused = try devices[1].refusals().keys
        #expect(refused.allSatisfy { hostile.contains($0) || $0.hasPrefix("name") })
        #expect(try devices[1].members.count == 2)
        try devices.settle()
        #expect(hostile.allSatisfy { devices.memory.contents[$0] != nil })
    }
}
