import CoreDataSyncing
import Synchronization

/// The stores that this browser connects with devices nearby, each from when a person begins that until the person, or the process, ends it.
final class NearbyMeetings: Sendable {
    /// A store's devices, and how often something of theirs has come.
    final class Meeting: Sendable {
        let transport: any NearbyTransport
        private let counter = Mutex(0)

        /// Begins to be visible.
        init(_ transport: any NearbyTransport) throws {
            self.transport = transport
            try transport.start(port: 0)
            _ = transport.watch { [weak self] in self?.counter.withLock { $0 += 1 } }
        }

        /// Changes whenever an exchange may bring something.
        var arrivals: Int { counter.withLock { $0 } }
    }

    /// What the addresses of groups begin with.
    static let prefix = "peers:"

    private let meetings = Mutex<[String: Meeting]>([:])

    subscript(store: BrowsedStore) -> Meeting? { meetings.withLock { $0[store.id] } }

    /// Begins to connect a store's devices; one that was begun stays.
    ///
    /// - Parameter address: The address of the group, as the store keeps it, or is to.
    /// - Throws: `SyncError` if this program connects no devices, or another one connects those of the store.
    @discardableResult func start(
        _ store: BrowsedStore, at address: String, _ options: BrowserOptions
    ) throws -> Meeting {
        try meetings.withLock { meetings in
            if let meeting = meetings[store.id] { return meeting }
            let transport = try options.nearbyTransport?(address, store.opened.store.identifier, true)
            guard let transport = transport as? any NearbyTransport else { throw Self.unknown }
            let meeting = try Meeting(transport)
            meetings[store.id] = meeting
            return meeting
        }
    }

    func stop(_ store: BrowsedStore) {
        let meeting = meetings.withLock { $0.removeValue(forKey: store.id) }
        meeting?.transport.stop()
    }

    static let unknown = SyncError(
        .transport, "This program does not connect with devices nearby.",
        cure: "Use 'coredata sync run', or give the browser's options a transport.")
}
