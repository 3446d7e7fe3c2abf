import CoreDataSyncing
import Foundation
import MultipeerConnectivity
import Synchronization

/// What the members of a session say to each other, so that all come to hold the same items.
///
/// Two that connect name the states of their lists. Each sends the lists that are newer with it, and asks for the items it lacks, a few at
/// a time, from those who may have them. A member that learns of a newer list says its state to the others, which they ask for if it is new to
/// them: so members that are not connected with each other hear by those between.
final class PeerExchange: Sendable {
    private struct State {
        var held: HeldItems
        var members: [String: MemberState] = [:]
        var changed: (@Sendable () -> Void)?
        var failure: (any Error)?
        var tasks: [Task<Void, Never>] = []

        /// A member has named lists, which it may have more of than before.
        mutating func note(_ owners: [OwnerID], of peer: MCPeerID) {
            members[peer.identifier]?.wanted.isRenewed()
            // What else it names is nothing to ask for.
            members[peer.identifier]?.owners.formUnion(owners.filter { held.list(of: $0) != nil })
        }

        /// The states of lists, for the members that may not have received their changes.
        func announcements(of states: [ListState], except sender: MCPeerID) -> Outgoing {
            members.values.map(\.peer).filter { $0 != sender }.map { ($0, .states(states)) }
        }

        /// What to ask the members for.
        mutating func requests() -> Outgoing {
            var asked = Set(members.values.flatMap(\.wanted.names))
            var outgoing: Outgoing = []
            for (identifier, member) in members {
                let lists = member.owners.compactMap { held.list(of: $0) }
                let names = members[identifier]?.wanted.take(from: held.missing, &asked) { name in
                    lists.contains { $0.sizes[name] != nil }
                }
                if let names, !names.isEmpty { outgoing.append((member.peer, .wantedItems(names))) }
            }
            return outgoing
        }
    }

    /// Messages to be sent when the state is no longer locked.
    typealias Outgoing = [(peer: MCPeerID, message: PeerMessage)]

    private let session: MCSession
    private let folder: FolderTransport
    private let state: Mutex<State>

    init(_ session: MCSession, _ held: HeldItems, _ folder: FolderTransport) {
        (self.session, self.folder) = (session, folder)
        state = Mutex(State(held: held))
    }

    /// Begins to listen to the session, and greets those who are there.
    func start() {
        let listening = Task { [weak self, events = session.events] in
            for await event in events {
                guard let self else { return }
                self.handle(event)
            }
        }
        let looking = Task { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: WantedItems.patience)
                guard let self else { return }
                self.update { state in
                    for identifier in state.members.keys { state.members[identifier]?.wanted.isRenewed() }
                    return []
                }
            }
        }
        state.withLock { $0.tasks = [listening, looking] }
        for peer in session.connectedPeers { greet(peer) }
    }

    func stop() {
        state.withLock { state in
            for task in state.tasks { task.cancel() }
            state.tasks = []
        }
    }

    func watch(_ changed: (@Sendable () -> Void)?) { state.withLock { $0.changed = changed } }

    var missingCount: Int { state.withLock { $0.held.missing.count } }

    /// The error that has kept items from coming into the folder since the last call.
    func takeFailure() -> (any Error)? {
        state.withLock { state in
            defer { state.failure = nil }
            return state.failure
        }
    }

    /// Changes the own list, and sends the change to all members.
    func change(_ change: ItemList.Change) throws {
        let (changed, peers) = try state.withLock { state in
            (try state.held.change(change), state.members.values.map(\.peer))
        }
        guard let changed else { return }
        let message = PeerMessage.changes(changed.owner, since: changed.since, [change])
        send(peers.map { ($0, message) })
    }

    // MARK: Events

    private func handle(_ event: MCSessionEvent) {
        switch event {
        case .state(let peer, .connected, _): greet(peer)
        case .state(let peer, .notConnected, _):
            update { state in
                state.members[peer.identifier] = nil
                return []
            }
        case .message(let message): receive([UInt8](message.data), from: message.peer)
        case .resourceFinished(let peer, let name, .success(let url)):
            defer { try? FileManager.default.removeItem(at: url) }
            receive(name, url, from: peer)
        case .resourceFinished(let peer, let name, .failure): receive(.absent(name), from: peer)
        default: break
        }
    }

    private func greet(_ peer: MCPeerID) {
        update { state in
            guard state.members[peer.identifier] == nil else { return [] }
            state.members[peer.identifier] = MemberState(peer)
            return [(peer, .states(state.held.states))]
        }
    }

    private func receive(_ bytes: [UInt8], from peer: MCPeerID) {
        // A member that does not speak this format is left alone: it may have a newer program.
        guard let message = try? PeerMessage(bytes) else { return }
        if case .wantedItems(let names) = message { return answer(names, to: peer) }
        receive(message, from: peer)
    }

    private func receive(_ message: PeerMessage, from peer: MCPeerID) {
        if case .item(let name, let bytes) = message {
            return receive(name, size: bytes.count, from: peer) { try folder.write(bytes, named: name) }
        }
        update { state in
            if state.members[peer.identifier] == nil { state.members[peer.identifier] = MemberState(peer) }
            return try Self.react(to: message, from: peer, &state)
        }
    }

    private static func react(to message: PeerMessage, from peer: MCPeerID, _ state: inout State) throws -> Outgoing {
        switch message {
        case .states(let states):
            state.note(states.map(\.owner), of: peer)
            let wanted = state.held.wanted(of: states)
            return state.held.newer(than: states).map { (peer, .list($0)) }
                + (wanted.isEmpty ? [] : [(peer, .wantedLists(wanted))])
        case .wantedLists(let owners):
            return Set(owners).compactMap { state.held.list(of: $0) }.map { (peer, .list($0)) }
        case .list(let list):
            let isTaken = try state.held.take(list)
            state.note([list.owner], of: peer)
            guard isTaken else { return [] }
            state.changed?()
            return state.announcements(of: state.held.states, except: peer)
        case .changes(let owner, let counter, let changes):
            state.note([owner], of: peer)
            guard let isTaken = try state.held.take(owner, since: counter, changes) else {
                return [(peer, .wantedLists([owner]))]
            }
            guard isTaken else { return [] }
            state.changed?()
            return state.announcements(of: state.held.list(of: owner).map { [$0.state] } ?? [], except: peer)
        case .absent(let name):
            state.members[peer.identifier]?.wanted.isAbsent(name)
            return []
        case .wantedItems, .item: return []
        }
    }

    // MARK: Items

    private func answer(_ names: [String], to peer: MCPeerID) {
        for name in names.prefix(WantedItems.count) {
            let url = state.withLock { $0.held.has(name) ? $0.held.url(name) : nil }
            guard let url, let size = Self.size(of: url) else {
                send([(peer, .absent(name))])
                continue
            }
            if size > WantedItems.messageSize {
                session.sendResource(at: url, withName: name, toPeer: peer)
            } else if let bytes = try? folder.read(SyncItem(name: name, size: size, stamp: ""), atMost: size) {
                send([(peer, .item(name, bytes))])
            } else {
                send([(peer, .absent(name))])
            }
        }
    }

    /// An item that came as a file.
    private func receive(_ name: String, _ url: URL, from peer: MCPeerID) {
        guard ItemName.isValid(name), let size = Self.size(of: url) else { return }
        let place = state.withLock { $0.held.url(name) }
        receive(name, size: size, from: peer) { try FileManager.default.moveItem(at: url, to: place) }
    }

    private static func size(of url: URL) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber)?.intValue
    }

    /// An item has come: it goes into the folder if it is missing there.
    private func receive(_ name: String, size: Int, from peer: MCPeerID, _ store: () throws -> Void) {
        update { state in
            state.members[peer.identifier]?.wanted.isAnswered(name)
            guard state.held.lacks(name, size: size) else { return [] }
            try store()
            state.held.received(name)
            state.changed?()
            return []
        }
    }

    // MARK: Sending

    /// Changes the state, asks members for what is missing, and sends what is to be sent.
    private func update(_ change: (inout State) throws -> Outgoing) {
        let outgoing = state.withLock { state -> Outgoing in
            var outgoing: Outgoing = []
            do { outgoing = try change(&state) } catch { state.failure = error }
            guard !state.held.missing.isEmpty else { return outgoing }
            return outgoing + state.requests()
        }
        send(outgoing)
    }

    /// A member that cannot be reached hears it when it is back: it is greeted again.
    private func send(_ outgoing: Outgoing) {
        for (peer, message) in outgoing { try? session.send(Data(message.bytes), toPeers: [peer], with: .reliable) }
    }
}

/// What is known of a member of the session.
struct MemberState {
    let peer: MCPeerID
    var wanted = WantedItems()
    /// The owners whose lists the member has named: only items of these are asked of it.
    var owners: Set<OwnerID> = []

    init(_ peer: MCPeerID) { self.peer = peer }
}
