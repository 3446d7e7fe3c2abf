import CoreDataSyncing
import Foundation
import MultipeerConnectivity
import Synchronization

/// Devices of a group that find each other and sync: a session, a transport and a connector, with all that the device keeps in one folder.
///
/// ```swift
/// import CoreDataSyncPeers
/// import CoreDataSyncing
///
/// let group = try PeerGroup(serviceType: "shopping-list", name: "family")
/// let transport = try PeerGroupTransport(group, in: url, deviceName: "Kitchen")
/// transport.onChange { print(transport.devices.map(\.name)) }
/// try transport.start()
/// let syncing = try await container.sync(over: transport)
/// print(try await syncing.status())
/// ```
/// A device whose state is `comparing` waits until people have compared its code: ``answer(_:isSameCode:)``.
public final class PeerGroupTransport: NearbyTransport {
    private struct State {
        var list = DeviceList()
        var failure: SyncError?
        var changed: (@Sendable () -> Void)?
        var task: Task<Void, Never>?
    }

    /// The group.
    public let group: PeerGroup
    /// Whose members exchange the items.
    public var session: MCSession { transport.session }
    /// The devices that are admitted without a question.
    public let paired: PairingFile
    private let folder: PeerFolder
    private let transport: PeerTransport
    private let connector: PeerConnector
    private let state = Mutex(State())

    /// Opens what the device keeps of a group; nothing is visible on the network yet.
    ///
    /// - Parameters:
    ///   - folder: For this group and this store alone. It is made if it is not there; it holds the device's key.
    ///   - deviceName: What people call this device: 1 to 63 bytes of UTF-8 without control characters.
    ///   - admitted: A file of paired devices. Only those in it are admitted then, and people are not asked; nil: people compare codes.
    /// - Throws: `SyncError` with the code `transport` if another program uses the folder or the name is not allowed, and `keys` if the
    ///   folder's files cannot be used.
    public init(_ group: PeerGroup, in folder: URL, deviceName: String, admitted: URL? = nil) throws {
        self.group = group
        self.folder = try PeerFolder(folder, name: deviceName)
        paired = admitted.map { PairingFile($0) } ?? self.folder.paired
        let session = MCSession(
            peer: self.folder.peer, securityIdentity: [self.folder.identity], encryptionPreference: .required)
        let questions = Questions()
        session.trust = .pairing(paired) { peer, code, answer in
            guard admitted == nil else { return answer(false) }
            questions.ask(peer, code, answer)
        }
        transport = try PeerTransport(session, folder: self.folder.items, address: group.address)
        do {
            connector = try PeerConnector(transport, serviceType: group.serviceType, group: group.name)
        } catch let error as MCError { throw SyncError(error) }
        questions.owner.withLock { $0.object = self }
        connector.observe { [weak self] in self?.take($0) }
    }

    deinit { stop() }

    /// Where a program that only shows how a store stands finds the items, while another one connects it.
    public static func keptItems(of group: PeerGroup, in folder: URL) -> any SyncTransport {
        KeptItems(group, in: folder)
    }

    /// The device of a folder and those it was paired with, also while another program connects it.
    ///
    /// - Throws: `SyncError` as the initializer.
    package static func pairings(
        in folder: URL, deviceName: String
    ) throws -> (own: PairingFile.Peer, file: PairingFile) {
        let kept = try PeerFolder(folder, name: deviceName, isShared: true)
        let own = PairingFile.Peer(
            id: kept.peer.identifier, name: kept.peer.displayName, keyDigest: kept.identity.keyDigest)
        return (own, kept.paired)
    }

    /// Where the tool and the browser keep what a store's device has: in `$XDG_STATE_HOME/opencoredata/sync/peers`, where the variable is
    /// `~/.local/state` if it is not set.
    ///
    /// - Parameter store: The store's UUID.
    /// - Throws: `SyncError` with the code `keys` if there is no home, and `unsuitableStore` if the text is no UUID.
    package static func standardFolder(ofStore store: String?) throws -> URL {
        guard let store = store.flatMap({ UUID(uuidString: $0) }) else {
            throw SyncError(
                .unsuitableStore, "The store has no UUID, by which it is known again.",
                cure: "Copy its objects into a new store, which has one.")
        }
        return try PrivateFile.folderOfKeys(in: ProcessInfo.processInfo.environment)
            .appendingPathComponent("peers/\(store.uuidString.lowercased())")
    }

    // MARK: Devices

    /// The devices that are near, or were connected: by name.
    public var devices: [NearbyDevice] { state.withLock { $0.list.sorted } }

    /// Why devices are not found; nil if nothing is wrong.
    public var discoveryFailure: SyncError? { state.withLock { $0.failure } }

    /// Where others reach this device; empty before ``start(port:)``.
    public var ownAddresses: [String] {
        guard let port = session.endpoint.port else { return [] }
        return session.endpoint.addresses.map { PeerAddress(host: $0, port: port).description }
    }

    /// Begins to be visible, to look for others of the group, and to connect with them.
    ///
    /// - Throws: `SyncError` with the code `transport` if the port is taken.
    public func start(port: UInt16 = 0) throws {
        do { try session.endpoint.listen(on: port) } catch let error as MCError { throw SyncError(error) }
        state.withLock { state in
            guard state.task == nil else { return }
            state.task = Task { [weak self, events = session.events] in
                for await event in events {
                    guard case .state(let peer, let new, let error) = event else { continue }
                    self?.change { $0.list.changed(peer, new, error) }
                }
            }
        }
        connector.start()
    }

    /// Is no longer visible, and leaves those it is connected with.
    public func stop() {
        connector.stop()
        session.disconnect()
        session.endpoint.stopListening()
        let answers = state.withLock { state in
            state.task?.cancel()
            (state.task, state.failure) = (nil, nil)
            return state.list.removeAll()
        }
        for answer in answers { answer(false) }
    }

    /// Invites a device, also one that was refused.
    public func connect(_ device: NearbyDevice.ID) { connector.inviteNow(device) }

    /// Connects with the device that answers at an address, and waits for the outcome.
    ///
    /// - Returns: The device.
    /// - Throws: `SyncError` with the code `transport` or `pairing`.
    @discardableResult public func connect(to address: String) async throws -> NearbyDevice.ID {
        guard let address = PeerAddress(address) else {
            throw SyncError(
                .transport, "'\(address.prefix(60))' is not the address of a device.",
                cure: "Write HOST:PORT as the other device shows it, an address of IPv6 in brackets.")
        }
        do {
            return try await session.invite(
                at: [address], context: Data(group.name.utf8), timeout: PeerConnector.patience
            ).identifier
        } catch let error as MCError { throw SyncError(error) }
    }

    /// Says whether the other device shows the same code.
    public func answer(_ device: NearbyDevice.ID, isSameCode: Bool) {
        let answer = state.withLock { $0.list.takeAnswer(device, isSameCode: isSameCode) }
        guard let answer else { return }
        answer(isSameCode)
        state.withLock { $0.changed }?()
    }

    /// Calls a block, on any thread, when devices or failures have changed; nil ends that.
    public func onChange(_ changed: (@Sendable () -> Void)?) { state.withLock { $0.changed = changed } }

    private func take(_ sighting: PeerConnector.Sighting) {
        switch sighting {
        case .found(let peer):
            change {
                $0.failure = nil
                $0.list.found(peer)
            }
        case .lost(let peer): change { $0.list.vanished(peer) }
        case .failed(let error): change { $0.failure = SyncError(discovery: error) }
        }
    }

    fileprivate func ask(_ peer: MCPeerID, _ code: String, _ answer: @escaping @Sendable (Bool) -> Void) {
        change { $0.list.compare(peer, code, answer) }
    }

    private func change(_ body: (inout State) -> Void) {
        let changed = state.withLock { state in
            body(&state)
            return state.changed
        }
        changed?()
    }

    // MARK: Items

    /// The address of the group.
    public var title: String { group.address }
    /// The address of the group.
    public var address: String? { group.address }
    /// The items that are here.
    public func items() throws -> [SyncItem] { try transport.items() }
    /// The bytes of an item.
    public func read(_ item: SyncItem, atMost limit: Int) throws -> [UInt8]? {
        try transport.read(item, atMost: limit)
    }
    /// Puts an item into the folder, and sends word of it to the devices that are connected.
    public func write(_ bytes: [UInt8], named name: String) throws { try transport.write(bytes, named: name) }
    /// Removes an item that this device has written, here and at all others.
    public func remove(_ name: String) throws { try transport.remove(name) }
    /// Calls the block when an item of another device has come or gone.
    public func watch(_ changed: (@Sendable () -> Void)?) -> Bool { transport.watch(changed) }
    /// How many items are known of and not yet here.
    public var missingCount: Int { transport.missingCount }
}

/// Passes questions about codes on to the transport, which is made after the session that asks them.
private final class Questions: Sendable {
    struct Owner { weak var object: PeerGroupTransport? }
    let owner = Mutex(Owner())

    func ask(_ peer: MCPeerID, _ code: String, _ answer: @escaping @Sendable (Bool) -> Void) {
        guard let owner = owner.withLock({ $0.object }) else { return answer(false) }
        owner.ask(peer, code, answer)
    }
}

extension SyncError {
    /// What happened between devices, as sync says it.
    init(_ error: any Error) {
        let error = error as? MCError ?? MCError(.unknown, error.localizedDescription)
        let reason = error.reason.prefix(1).uppercased() + error.reason.dropFirst() + "."
        var cure = "See whether the other device is on and in the same network."
        if !error.hint.isEmpty { cure = error.hint.prefix(1).uppercased() + error.hint.dropFirst() + "." }
        let isRefusal = error.code == .cancelled || error.code == .invalidParameter
        self.init(isRefusal ? .pairing : .transport, reason, cure: cure)
    }

    /// Why devices do not find each other.
    init(discovery error: any Error) {
        guard let known = error as? MCError, known.code == .unavailable else {
            self.init(error)
            return
        }
        self.init(
            .transport, "Devices do not find each other: no Avahi daemon runs on this machine.",
            cure:
                "Install the package avahi-daemon and start it (systemctl start avahi-daemon), or connect by address, which needs no "
                + "discovery.")
    }
}
