import TestBasics
import Testing

@testable import CoreDataSyncPeers

@Suite("Messages between devices")
struct PeerMessageTests {
    private static let list = ItemList(
        OwnerID(7), counter: 9, sizes: ["a-t-1.ocsync": 3, "b-g-2.ocsync": 1 << 20], former: [OwnerID(1), OwnerID(2)])

    static let messages: [PeerMessage] = [
        .states([
            ListState(owner: OwnerID(1), counter: 5, digest: .max),
            ListState(owner: OwnerID(.max), counter: 0, digest: 0),
        ]),
        .wantedLists([OwnerID(3), OwnerID(4)]), .list(list),
        .changes(OwnerID(5), since: 8, [.added("a-t-1.ocsync", size: 4), .removed("b.ocsync")]),
        .wantedItems(["a-t-1.ocsync"]), .item("a-t-1.ocsync", [1, 2, 3]), .absent("a-t-1.ocsync"), .states([]),
    ]

    @Test("a message is the same after it was written and read", arguments: messages)
    func messagesAreRead(_ message: PeerMessage) throws { #expect(try PeerMessage(message.bytes) == message) }

    @Test(
        "a message that was cut or changed in a bit is read or refused, and never more than it has", arguments: messages
    )
    func damagedMessagesAreRefused(_ message: PeerMessage) throws {
        let bytes = message.bytes
        for count in 0..<bytes.count {
            #expect(throws: (any Error).self) { try PeerMessage(Array(bytes.prefix(count))) }
        }
        for bit in 0..<bytes.count * 8 {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            guard let read = try? PeerMessage(damaged) else { continue }
            #expect(read.bytes.count <= bytes.count + 16)
        }
    }

    @Test(
        "names that would leave the folder, be hidden or be no items are refused",
        arguments: [
            "../a.ocsync", "a/b.ocsync", ".a.ocsync", "a", "A.ocsync", "ä.ocsync", "a\u{0}.ocsync", "", "a\n.ocsync",
            String(repeating: "a", count: 194) + ".ocsync",
        ])
    func namesAreChecked(_ name: String) {
        #expect(!ItemName.isValid(name))
        #expect(throws: (any Error).self) { try PeerMessage(PeerMessage.item(name, [1]).bytes) }
        #expect(throws: (any Error).self) {
            try PeerMessage(PeerMessage.list(ItemList(OwnerID(1), counter: 1, sizes: [name: 1])).bytes)
        }
    }

    @Test("a list with a counter that no honest device reaches is refused")
    func countersAreBounded() {
        for counter: UInt64 in [0, 1 << 63, .max] {
            let list = ItemList(OwnerID(1), counter: counter, sizes: ["a.ocsync": 1])
            #expect(throws: (any Error).self) { try PeerMessage(PeerMessage.list(list).bytes) }
        }
    }

    @Test("what newer programs say is not misread")
    func newerVersionsAreRefused() {
        var bytes = PeerMessage.absent("a.ocsync").bytes
        bytes[0] = 2
        #expect(throws: (any Error).self) { try PeerMessage(bytes) }
    }
}
