import CAvahi
import Dispatch

/// Reports the domains in which services can be looked for, or announced, until it is stopped. It lives on its own
/// while it does.
///
/// Invariants:
/// 1. Everything but `onEvent` is touched on the module's queue.
package final class DomainBrowsing: @unchecked Sendable, DaemonConnection.Member {
    package enum Kind: Sendable { case browsing, registration }

    package enum Event: Sendable, Equatable {
        case found(String, moreComing: Bool)
        case removed(String, moreComing: Bool)
        case failed(DiscoveryError)
    }

    private struct Report: Sendable {
        let event: AvahiBrowserEvent
        let domain: String?
    }
    private static let attempt = "domains cannot be looked for"
    private static let maximumDomains = 1_000

    private let onEvent: @Sendable (Event) -> Void
    private let kind: Kind
    private var connection: DaemonConnection?
    private var browser: DaemonObject<Report>?
    /// How often each domain was found.
    private var counts: [String: Int] = [:]
    private var batch: EventBatch<(domain: String, isFound: Bool)>?

    /// - Parameter onEvent: Is called on the module's queue, and must not wait there.
    package init(_ kind: Kind, onEvent: @escaping @Sendable (Event) -> Void) {
        (self.kind, self.onEvent) = (kind, onEvent)
    }

    /// Begins; no effect if it has begun.
    package func start() {
        DiscoveryQueue.queue.async { [self] in
            guard connection == nil else { return }
            do throws(DiscoveryError) {
                let joined = try DaemonConnection.join(self, Self.attempt)
                connection = joined
                batch = EventBatch { [weak self] in self?.report($0.domain, $0.isFound, $1) }
                browser = try makeBrowser(joined)
                // The network at hand is a domain of itself, which the daemon does not list.
                add("local")
            } catch {
                fail(error)
            }
        }
    }

    /// Ends, and then calls `done` on the module's queue. No event comes after that.
    package func stop(_ done: @escaping @Sendable () -> Void = {}) {
        DiscoveryQueue.queue.async { [self] in
            leave()
            done()
        }
    }

    // MARK: On the queue

    func daemonRuns(_ isRunning: Bool) {}
    func daemonWasLost(_ error: DiscoveryError) { fail(error) }
    func daemonReturned() {}

    private func makeBrowser(_ connection: DaemonConnection) throws(DiscoveryError) -> DaemonObject<Report> {
        let kind = kind == .browsing ? AVAHI_DOMAIN_BROWSER_BROWSE : AVAHI_DOMAIN_BROWSER_REGISTER
        return try DaemonObject<Report>(
            connection, Self.attempt,
            make: { context in
                cavahi_domain_browser_new(
                    connection.client, kind,
                    { _, _, _, event, domain, _, context in
                        let name = domain.flatMap { String(validatingCString: $0) }
                        CallbackReceiver<Report>.receive(Report(event: event, domain: name), context)
                    }, context)
            },
            free: { cavahi_domain_browser_free($0) }, handler: { [weak self] in self?.changed($0) })
    }

    private func changed(_ report: Report) {
        if report.event == AVAHI_BROWSER_FAILURE {
            return fail(DaemonFailure.error(connection?.lastError ?? AvahiCode.failure, Self.attempt))
        }
        guard let domain = report.domain, let name = try? DomainName.check(domain) else { return }
        if report.event == AVAHI_BROWSER_NEW {
            add(name)
        } else if report.event == AVAHI_BROWSER_REMOVE, let count = counts[name] {
            counts[name] = count > 1 ? count - 1 : nil
            if count == 1 { batch?.add((name, false)) }
        }
    }

    private func add(_ domain: String) {
        guard counts[domain] != nil || counts.count < Self.maximumDomains else { return }
        counts[domain, default: 0] += 1
        if counts[domain] == 1 { batch?.add((domain, true)) }
    }

    private func report(_ domain: String, _ isFound: Bool, _ moreComing: Bool) {
        guard connection != nil else { return }
        onEvent(isFound ? .found(domain, moreComing: moreComing) : .removed(domain, moreComing: moreComing))
    }

    private func fail(_ error: DiscoveryError) {
        leave()
        onEvent(.failed(error))
    }

    private func leave() {
        browser?.free()
        (browser, batch, counts) = (nil, nil, [:])
        connection?.leave(self)
        connection = nil
    }
}
