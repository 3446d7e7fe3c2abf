import Foundation
import MultipeerConnectivity
import PeerKit
import TestBasics
import Testing

private struct Move: Codable, Sendable, Equatable {
    var row: Int
    var column: Int
    var note: String?
}

struct MessageFormatTests {
    private let format = MessageFormat<Move>(
        "test.move", version: 2, limit: 1_000,
        older: [1: { try Move(row: JSONDecoder().decode([Int].self, from: $0)[0], column: 0) }])

    private func bytes(_ version: UInt8, _ json: String, name: String = "test.move") -> Data {
        Data("OCDM".utf8) + [1, UInt8(name.utf8.count), 0, version] + Data(name.utf8) + Data(json.utf8)
    }

    @Test("a value is equal after it was sent, and its bytes are those of the format (PEER-16)")
    func valueIsEqual() async throws {
        let (anna, ben) = try await MessageTests.pair()
        let move = Move(row: 1, column: 2, note: "é")
        try anna.session.send(move, as: format, toPeers: [ben.peer])
        await eventually("the message") { ben.messages(from: anna).count == 1 }
        #expect(try format.decode(ben.messages(from: anna)[0]) == move)
        #expect(try format.decode(bytes(2, #"{"row":3,"column":4,"later":true}"#)) == Move(row: 3, column: 4))
        #expect(try format.decode(bytes(1, "[7]")) == Move(row: 7, column: 0))
    }

    @Test("a packet as a keyed archive is equal after it was sent (PEER-16)")
    func archiveIsEqual() async throws {
        let (anna, ben) = try await MessageTests.pair()
        let peer = MCPeerID(displayName: "Zoë")
        let archive = try NSKeyedArchiver.archivedData(withRootObject: peer, requiringSecureCoding: true)
        try anna.session.send(archive, toPeers: [ben.peer], with: .reliable)
        await eventually("the message") { ben.messages(from: anna).count == 1 }
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: ben.messages(from: anna)[0])
        #expect(read == peer && read?.displayName == "Zoë")
    }

    @Test("other formats, versions and damaged values are refused (PEER-16)")
    func othersAreRefused() {
        let bad: [(Data, MCError.Code)] = [
            (bytes(3, "{}"), .unsupported), (bytes(2, "{}"), .invalidParameter), (bytes(1, "[]x"), .invalidParameter),
            (bytes(2, "{}", name: "test.mova"), .invalidParameter), (Data(), .invalidParameter),
            (Data("OCDM".utf8), .invalidParameter), (bytes(2, String(repeating: " ", count: 1_000)), .invalidParameter),
            (bytes(2, String(repeating: "[", count: 900)), .invalidParameter),
        ]
        for (data, code) in bad {
            #expect(throws: MCError.self) { try format.decode(data) }
            do { _ = try format.decode(data) } catch { #expect((error as? MCError)?.code == code, "\(error)") }
        }
        let message = bytes(2, #"{"row":3,"column":4}"#)
        for place in 0..<message.count {
            for bit in 0..<8 {
                var damaged = message
                damaged[place] ^= 1 << bit
                _ = try? format.decode(damaged)
            }
        }
    }

    @Test("a peer's name has 1 to 63 bytes without control characters, and survives an archive (PEER-01)")
    func namesAreChecked() throws {
        for name in ["", String(repeating: "a", count: 64), "a\nb", String(repeating: "é", count: 32)] {
            #expect(throws: MCError.self) { try MCPeerID(validating: name) }
        }
        #expect(try MCPeerID(validating: String(repeating: "é", count: 31) + "a").displayName.utf8.count == 63)
        #expect(MCPeerID(displayName: "Anna") != MCPeerID(displayName: "Anna"))
    }
}
