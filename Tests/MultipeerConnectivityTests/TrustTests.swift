import Foundation
import LockKit
import MultipeerConnectivity
import PeerKit
import TestBasics
import Testing

struct TrustTests {
    /// A peer that is paired by a code.
    private func pairing(
        _ peer: TestPeer, in file: URL, codes: Locked<[String]>, answer: Bool = true
    ) {
        peer.session.trust = .pairing(PairingFile(file)) { _, code, confirm in
            codes.withLock { $0.append(code) }
            confirm(answer)
        }
    }

    @Test("both sides see the same code once, and know the key from then on (PEER-05)")
    func codesAreTheSame() async throws {
        let folder = try TemporaryFolder()
        let codes = Locked<[String]>([])
        let (anna, ben) = (TestPeer("Anna"), TestPeer("Ben"))
        pairing(anna, in: folder.url.appendingPathComponent("anna"), codes: codes)
        pairing(ben, in: folder.url.appendingPathComponent("ben"), codes: codes)
        try await anna.session.invite(at: [ben.accept()])
        await eventually("both are connected") { ben.connected == [anna.peer] }
        let seen = codes.withLock { $0 }
        #expect(seen.count == 2 && seen[0] == seen[1])
        #expect(seen[0].wholeMatch(of: /\d{3} \d{3}/) != nil)
        anna.session.disconnect()
        await eventually("the end") { ben.connected.isEmpty }
        try await anna.session.invite(at: [ben.accept()])
        await eventually("both are connected again") { ben.connected == [anna.peer] }
        #expect(codes.withLock { $0.count } == 2)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.url.appendingPathComponent("ben").path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test("a code that one side does not confirm makes no connection (PEER-05)")
    func refusedCodeConnectsNobody() async throws {
        let folder = try TemporaryFolder()
        for annaConfirms in [true, false] {
            let (anna, ben) = (TestPeer("Anna"), TestPeer("Ben"))
            pairing(anna, in: folder.url.appendingPathComponent("a"), codes: Locked([]), answer: annaConfirms)
            pairing(ben, in: folder.url.appendingPathComponent("b"), codes: Locked([]), answer: !annaConfirms)
            let error = await #expect(throws: MCError.self) { try await anna.session.invite(at: [ben.accept()]) }
            #expect(error?.reason == "the codes are not the same")
            await eventually("the other side") { ben.states.last == "Anna notConnected" }
            #expect(anna.connected.isEmpty && ben.connected.isEmpty)
        }
    }

    @Test("a paired peer with another key is refused (PEER-05)")
    func otherKeyIsRefused() async throws {
        let folder = try TemporaryFolder()
        let codes = Locked<[String]>([])
        let ben = TestPeer("Ben")
        pairing(ben, in: folder.url.appendingPathComponent("ben"), codes: codes)
        let identity = MCPeerID(displayName: "Anna")
        do {
            let anna = TestPeer("Anna", of: identity)
            try await anna.session.invite(at: [ben.accept()])
            await eventually("the first") { ben.connected == [identity] }
            anna.session.disconnect()
        }
        await eventually("the end") { ben.connected.isEmpty }
        let archive = try NSKeyedArchiver.archivedData(withRootObject: identity, requiringSecureCoding: true)
        let copy = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: archive))
        #expect(copy == identity && copy.displayName == "Anna")
        let other = TestPeer("Anna", of: copy) {
            MCSession(peer: $0, securityIdentity: [try! PeerIdentity()], encryptionPreference: .required)
        }
        let error = await #expect(throws: MCError.self) { try await other.session.invite(at: [ben.accept()]) }
        #expect(error?.reason.contains("another key") == true)
    }

    @Test("a certificate that the delegate does not trust makes no connection (PEER-05)")
    func untrustedCertificateIsRefused() async throws {
        let (anna, ben) = (TestPeer("Anna"), TestPeer("Ben"))
        ben.trusts.withLock { $0 = false }
        let error = await #expect(throws: MCError.self) { try await anna.session.invite(at: [ben.accept()]) }
        #expect(error?.reason == "the certificate was not trusted")
    }

    @Test("connections without encryption are made only if that is asked for twice (PEER-05)")
    func noEncryptionIsAskedForTwice() async throws {
        func plain(_ name: String, twice: Bool) -> TestPeer {
            let peer = TestPeer(name) { MCSession(peer: $0, securityIdentity: nil, encryptionPreference: .none) }
            peer.session.allowsUnencryptedConnections = twice
            return peer
        }
        let (anna, ben, carl, dora) = (
            plain("Anna", twice: true), plain("Ben", twice: true), TestPeer("Carl"), plain("Dora", twice: false)
        )
        try await anna.session.invite(at: [ben.accept()])
        await eventually("both are connected") { ben.connected == [anna.peer] }
        try anna.session.send(Data("clear".utf8), toPeers: [ben.peer], with: .reliable)
        await eventually("a message") { ben.messages(from: anna) == [Data("clear".utf8)] }
        let error = await #expect(throws: MCError.self) { try await anna.session.invite(at: [carl.accept()]) }
        #expect(error?.code == .unsupported)
        // Asked for once, a session demands encryption.
        try await dora.session.invite(at: [carl.accept()])
        await eventually("both are connected") { carl.connected == [dora.peer] }
    }
}
