import Foundation
import LockKit
import MultipeerConnectivity
import PeerKit
import TestBasics
import Testing

struct InvitationTests {
    @Test("an accepted invitation connects both sides, with its context (PEER-05)")
    func acceptedInvitationConnects() async throws {
        let (anna, ben) = (TestPeer("Anna"), TestPeer("Ben"))
        let address = try ben.accept()
        let context = Data("chess".utf8)
        let seen = AsyncStream<Data?>.makeStream()
        ben.session.endpoint.setInvitationHandler { [session = ben.session] invitation in
            seen.continuation.yield(invitation.context)
            invitation.answer(true, session: session)
        }
        let found = try await anna.session.invite(at: [address], context: context, timeout: 20)
        #expect(found == ben.peer)
        var contexts = seen.stream.makeAsyncIterator()
        #expect(await contexts.next() == .some(context))
        await eventually("both are connected") { anna.connected == [ben.peer] && ben.connected == [anna.peer] }
        await eventually("both hear of it") { anna.states.count == 2 && ben.states.count == 2 }
        #expect(anna.states == ["Ben connecting", "Ben connected"])
        #expect(ben.states == ["Anna connecting", "Anna connected"])
        #expect(!anna.record.withLock { $0.wasOnMain })
    }

    @Test("a declined invitation is reported on both sides with its reason (PEER-05)")
    func declinedInvitationHasReason() async throws {
        let (anna, ben) = (TestPeer("Anna"), TestPeer("Ben"))
        let address = try ben.accept(false)
        anna.session.endpoint.invite(ben.peer, at: [address], to: anna.session, context: nil, timeout: 20)
        await eventually("the refusal") { anna.states.count == 2 }
        #expect(anna.states == ["Ben connecting", "Ben notConnected"])
        #expect(anna.session.reason(forPeer: ben.peer)?.code == .cancelled)
        #expect(anna.session.reason(forPeer: ben.peer)?.reason == "the invitation was declined")
        #expect(ben.connected.isEmpty)
    }

    @Test("an invitation without an answer times out on both sides (PEER-05)")
    func invitationTimesOut() async throws {
        let (anna, ben) = (TestPeer("Anna"), TestPeer("Ben"))
        let address = try ben.accept()
        let kept = AsyncStream<PeerInvitation>.makeStream()
        ben.session.endpoint.setInvitationHandler { kept.continuation.yield($0) }
        let error = await #expect(throws: MCError.self) {
            try await anna.session.invite(at: [address], timeout: 1)
        }
        #expect(error?.code == .timedOut)
        var invitations = kept.stream.makeAsyncIterator()
        let invitation = try #require(await invitations.next())
        invitation.answer(true, session: ben.session)
        await eventually("nothing is left of it") { !ben.states.contains("Anna connected") && ben.connected.isEmpty }
    }

    @Test("an address at which nothing listens is named in the error (PEER-05)")
    func unreachableAddressIsNamed() async throws {
        let anna = TestPeer("Anna")
        let error = await #expect(throws: MCError.self) {
            try await anna.session.invite(at: [PeerAddress(host: "127.0.0.1", port: 1)], timeout: 10)
        }
        #expect(error?.code == .unavailable)
        #expect(error?.reason.contains("127.0.0.1 cannot be reached at port 1") == true)
    }
}
