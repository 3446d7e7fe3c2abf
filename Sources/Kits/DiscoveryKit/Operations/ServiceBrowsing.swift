import CAvahi
import Dispatch

/// Reports the services of a type that appear and vanish, until it is stopped. It lives on its own while it does.
///
/// A service that can be reached over several interfaces, or by IPv4 and IPv6, is one service: it appears with the
/// first of these and vanishes with the last. Services whose names break the rules of `ServiceName` are left out.
///
/// Invariants:
/// 1. Everything but `onEvent` is touched on the module's queue.
/// 2. `places` has a service exactly while it has been found and not removed.
package final class ServiceBrowsing: @unchecked Sendable, DaemonConnection.Member {
    package enum Event: Sendable, Equatable {
        case found(DiscoveredService, moreComing: Bool)
        case removed(DiscoveredService, moreComing: Bool)
        /// The daemon has ended, and all services count as removed; browsing goes on when it is back.
        case interrupted(DiscoveryError)
        /// Browsing has ended.
        case failed(DiscoveryError)
    }

    /// What the library's callback says.
    private struct Report: Sendable {
        let event: AvahiBrowserEvent
        let place: Place
        /// nil if the event is about no service, or its name breaks the rules.
        let service: DiscoveredService?
    }
    private struct Place: Hashable, Sendable { let (interface, family): (Int32, Int32) }
    /// The most services that are remembered: who floods a network with names takes no more memory than for these.
    package static let maximumServices = 10_000
    private static let attempt = "services cannot be looked for"

    private let onEvent: @Sendable (Event) -> Void
    private let type: ServiceType
    private let domain: String?
    private var connection: DaemonConnection?
    /// Whether the daemon was lost and is not back.
    private var isWaiting = false
    private var browser: DaemonObject<Report>?
    private var places: [DiscoveredService: Set<Place>] = [:]
    private var batch: EventBatch<(service: DiscoveredService, isFound: Bool)>?

    /// - Parameter onEvent: Is called on the module's queue, and must not wait there.
    /// - Throws: `DiscoveryError` if the domain breaks the rules.
    package init(
        _ type: ServiceType, domain: String = "", onEvent: @escaping @Sendable (Event) -> Void
    ) throws(DiscoveryError) {
        self.domain = try DomainName.check(domain)
        (self.type, self.onEvent) = (type, onEvent)
    }

    /// Begins to browse; no effect if it has begun.
    package func start() {
        DiscoveryQueue.queue.async { [self] in
            guard connection == nil, !isWaiting else { return }
            begin()
        }
    }

    /// Ends, and then calls `done` on the module's queue. No event comes after that.
    package func stop(_ done: @escaping @Sendable () -> Void = {}) {
        DiscoveryQueue.queue.async { [self] in
            leave()
            isWaiting = false
            DaemonReturn.giveUp(self)
            done()
        }
    }

    // MARK: On the queue

    func daemonRuns(_ isRunning: Bool) {}

    func daemonWasLost(_ error: DiscoveryError) {
        let lost = Array(places.keys)
        leave()
        isWaiting = true
        DaemonReturn.wait(for: self)
        for (index, service) in lost.enumerated() { onEvent(.removed(service, moreComing: index + 1 < lost.count)) }
        onEvent(.interrupted(error))
    }

    func daemonReturned() {
        isWaiting = false
        begin()
    }

    private func begin() {
        do throws(DiscoveryError) {
            let joined = try DaemonConnection.join(self, Self.attempt)
            connection = joined
            batch = EventBatch { [weak self] in self?.report($0.service, $0.isFound, $1) }
            browser = try makeBrowser(joined)
        } catch {
            fail(error)
        }
    }

    private func makeBrowser(_ connection: DaemonConnection) throws(DiscoveryError) -> DaemonObject<Report> {
        let (type, domain) = (type.browsed, domain)
        return try DaemonObject<Report>(
            connection, Self.attempt,
            make: { context in
                cavahi_browser_new(
                    connection.client, type, domain,
                    { _, interface, family, event, name, type, domain, _, context in
                        let place = Place(interface: interface, family: family)
                        let report = Report(
                            event: event, place: place, service: ServiceBrowsing.service(name, type, domain))
                        CallbackReceiver<Report>.receive(report, context)
                    }, context)
            },
            free: { cavahi_browser_free($0) }, handler: { [weak self] in self?.changed($0) })
    }

    private static func service(
        _ name: UnsafePointer<CChar>?, _ type: UnsafePointer<CChar>?, _ domain: UnsafePointer<CChar>?
    ) -> DiscoveredService? {
        guard let name, let type, let domain, let text = String(validatingCString: name),
            (try? ServiceName.check(text)) != nil
        else { return nil }
        return DiscoveredService(name: text, type: String(cString: type), domain: String(cString: domain))
    }

    private func changed(_ report: Report) {
        if report.event == AVAHI_BROWSER_FAILURE {
            return fail(DaemonFailure.error(connection?.lastError ?? AvahiCode.failure, Self.attempt))
        }
        guard let service = report.service else { return }
        if report.event == AVAHI_BROWSER_NEW {
            guard places[service] != nil || places.count < Self.maximumServices else { return }
            let isNew = places[service, default: []].isEmpty
            places[service, default: []].insert(report.place)
            if isNew { batch?.add((service, true)) }
        } else if report.event == AVAHI_BROWSER_REMOVE, places[service]?.remove(report.place) != nil,
            places[service]?.isEmpty == true
        {
            places[service] = nil
            batch?.add((service, false))
        }
    }

    private func report(_ service: DiscoveredService, _ isFound: Bool, _ moreComing: Bool) {
        guard connection != nil else { return }
        onEvent(isFound ? .found(service, moreComing: moreComing) : .removed(service, moreComing: moreComing))
    }

    private func fail(_ error: DiscoveryError) {
        leave()
        onEvent(.failed(error))
    }

    private func leave() {
        browser?.free()
        (browser, batch, places) = (nil, nil, [:])
        connection?.leave(self)
        connection = nil
    }
}
