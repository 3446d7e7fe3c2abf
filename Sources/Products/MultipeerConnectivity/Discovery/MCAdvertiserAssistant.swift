import Foundation
import LockKit
import PeerKit

/// What is notified of invitations that wait for a person. It is called on a private queue.
public protocol MCAdvertiserAssistantDelegate: AnyObject {
    /// An invitation is about to be shown.
    func advertiserAssistantWillPresentInvitation(_ advertiserAssistant: MCAdvertiserAssistant)
    /// An invitation was answered, or withdrawn.
    func advertiserAssistantDidDismissInvitation(_ advertiserAssistant: MCAdvertiserAssistant)
}

extension MCAdvertiserAssistantDelegate {
    /// Does nothing.
    public func advertiserAssistantWillPresentInvitation(_ advertiserAssistant: MCAdvertiserAssistant) {}
    /// Does nothing.
    public func advertiserAssistantDidDismissInvitation(_ advertiserAssistant: MCAdvertiserAssistant) {}
}

/// Makes the peer of a session visible and keeps the invitations that wait for a person's answer.
///
/// Apple's class shows an alert. This one is the model of it: ``invitations`` has what is to be shown, by a terminal or
/// a page, and ``answer(_:accept:)`` takes the answer.
open class MCAdvertiserAssistant: NSObject, MCNearbyServiceAdvertiserDelegate, @unchecked Sendable {
    /// An invitation that waits for an answer.
    public struct Invitation: Sendable, Identifiable {
        /// Names the invitation within the assistant.
        public let id: UUID
        /// Who invites.
        public let peer: MCPeerID
        /// What the other side says with it: bytes of a stranger, to be checked.
        public let context: Data?

        fileprivate let handler: @Sendable (Bool, MCSession?) -> Void
    }

    private struct State {
        weak var delegate: (any MCAdvertiserAssistantDelegate)?
        var invitations: [Invitation] = []
        var error: (any Error)?
        var change: (@Sendable () -> Void)?
    }
    /// The most invitations that wait; further ones are declined.
    public static let invitationLimit = 64

    /// The session into which peers are taken.
    public let session: MCSession
    private let advertiser: MCNearbyServiceAdvertiser
    private let state = Locked(State())

    /// Makes an assistant; stops for a service type or discovery info that break the rules, as
    /// ``MCNearbyServiceAdvertiser`` does.
    public init(serviceType: String, discoveryInfo info: [String: String]?, session: MCSession) {
        self.session = session
        advertiser = MCNearbyServiceAdvertiser(peer: session.myPeerID, discoveryInfo: info, serviceType: serviceType)
        super.init()
        advertiser.delegate = self
    }

    /// What is notified of invitations; not retained.
    open var delegate: (any MCAdvertiserAssistantDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }
    /// What browsers see of the peer before they invite it.
    public var discoveryInfo: [String: String]? { advertiser.discoveryInfo }
    /// The type of service.
    public var serviceType: String { advertiser.serviceType }
    /// The invitations that wait, oldest first.
    public var invitations: [Invitation] { state.withLock { $0.invitations } }
    /// Why the peer is not visible; nil if it is, or was not to be.
    public var lastError: (any Error)? { state.withLock { $0.error } }

    /// Sets what is called after each change of ``invitations`` and ``lastError``, on a private queue.
    public func onChange(_ call: (@Sendable () -> Void)?) { state.withLock { $0.change = call } }

    /// Makes the peer visible.
    open func start() {
        state.withLock { $0.error = nil }
        advertiser.startAdvertisingPeer()
    }

    /// Makes the peer invisible and declines the invitations that wait; connections stay.
    open func stop() {
        advertiser.stopAdvertisingPeer()
        for invitation in invitations { answer(invitation.id, accept: false) }
    }

    /// Answers an invitation.
    ///
    /// - Returns: false if there is none of this name, or it was answered.
    @discardableResult
    public func answer(_ id: Invitation.ID, accept: Bool) -> Bool {
        let invitation = state.withLock { state in
            state.invitations.firstIndex { $0.id == id }.map { state.invitations.remove(at: $0) }
        }
        guard let invitation else { return false }
        invitation.handler(accept, accept ? session : nil)
        delegate?.advertiserAssistantDidDismissInvitation(self)
        changed()
        return true
    }

    private func changed() { state.withLock { $0.change }?() }

    // MARK: MCNearbyServiceAdvertiserDelegate

    /// Keeps an invitation until it is answered.
    open func advertiser(
        _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
        withContext context: Data?,
        invitationHandler: @escaping @Sendable (Bool, MCSession?) -> Void
    ) {
        let invitation = Invitation(id: UUID(), peer: peerID, context: context, handler: invitationHandler)
        let isKept = state.withLock { state in
            guard state.invitations.count < Self.invitationLimit else { return false }
            state.invitations.append(invitation)
            return true
        }
        guard isKept else { return invitationHandler(false, nil) }
        delegate?.advertiserAssistantWillPresentInvitation(self)
        changed()
    }

    /// Keeps the error as ``lastError``.
    open func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error) {
        state.withLock { $0.error = error }
        changed()
    }
}
