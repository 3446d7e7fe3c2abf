import CAvahi
import Dispatch

/// Finds where a service is and what its TXT record says, and reports changes of both, until it is stopped. It lives on
/// its own while it does.
///
/// Invariants:
/// 1. Everything but `onEvent` is touched on the module's queue.
/// 2. At most one of `.failed` and `.ended` is reported, as the last event.
package final class ServiceResolution: @unchecked Sendable, DaemonConnection.Member {
    package enum Event: Sendable, Equatable {
        /// Something new is known: an address more, or another TXT record.
        case resolved(ResolvedService)
        /// The time is over, and something was found before.
        case ended
        /// Nothing was found, or the daemon refused.
        case failed(DiscoveryError)
    }

    private struct Report: Sendable {
        let event: AvahiResolverEvent
        let found: ResolvedService?
        let family: AvahiProtocol
    }
    /// The most addresses of a service that are kept.
    private static let maximumAddresses = 64
    private static let attempt = "the service cannot be resolved"

    private let onEvent: @Sendable (Event) -> Void
    private let service: DiscoveredService
    private let timeout: Double?
    private var connection: DaemonConnection?
    private var resolvers: [DaemonObject<Report>] = []
    /// The addresses of each family, as its resolver found them last.
    private var known: ResolvedService?
    /// Counts the starts, so that the time of one does not end another.
    private var starts = 0

    /// - Parameters:
    ///   - timeout: Seconds after which it ends by itself; nil for never.
    ///   - onEvent: Is called on the module's queue, and must not wait there.
    /// - Throws: `DiscoveryError` if name, type or domain break the rules.
    package init(
        _ service: DiscoveredService, timeout: Double?, onEvent: @escaping @Sendable (Event) -> Void
    ) throws(DiscoveryError) {
        try ServiceName.check(service.name)
        let type = try ServiceType(parsing: service.type).description
        let domain = try DomainName.check(service.domain) ?? ""
        self.service = DiscoveredService(name: service.name, type: type, domain: domain)
        (self.timeout, self.onEvent) = (timeout, onEvent)
    }

    /// Begins; no effect if it has begun.
    package func start() {
        DiscoveryQueue.queue.async { [self] in
            guard connection == nil else { return }
            do throws(DiscoveryError) {
                connection = try DaemonConnection.join(self, Self.attempt)
                try makeResolver(AvahiCode.ipv4)
                try makeResolver(AvahiCode.ipv6)
            } catch {
                return fail(error)
            }
            starts += 1
            guard let timeout else { return }
            DiscoveryQueue.queue.asyncAfter(deadline: .now() + timeout) { [weak self, starts] in
                self?.timeIsOver(starts)
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

    private func makeResolver(_ family: AvahiProtocol) throws(DiscoveryError) {
        guard let connection else { return }
        let service = service
        let resolver = try DaemonObject<Report>(
            connection, Self.attempt,
            make: { context in
                cavahi_resolver_new(
                    connection.client, service.name, service.type, service.domain.isEmpty ? "local" : service.domain,
                    family,
                    { _, interface, _, event, _, _, _, host, address, port, text, _, context in
                        let found = ServiceResolution.found(host, address, port, interface, text)
                        let family = address?.pointee.proto ?? AvahiCode.unspecified
                        CallbackReceiver<Report>.receive(Report(event: event, found: found, family: family), context)
                    }, context)
            },
            free: { cavahi_resolver_free($0) }, handler: { [weak self] in self?.changed($0, family) })
        resolvers.append(resolver)
    }

    private static func found(
        _ host: UnsafePointer<CChar>?, _ address: UnsafePointer<AvahiAddress>?, _ port: UInt16,
        _ interface: AvahiIfIndex,
        _ list: UnsafeMutablePointer<AvahiStringList>?
    ) -> ResolvedService? {
        guard let host, let address, let name = String(validatingCString: host) else { return nil }
        let size = min(cavahi_text(list, nil, 0), Int(UInt16.max))
        let text = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = min(cavahi_text(list, buffer.baseAddress, size), size)
        }
        let socket = SocketAddress(address.pointee, port: port, interface: interface)
        return ResolvedService(
            host: ServiceName.escaped(name, limit: 255), port: Int(port), addresses: socket.map { [$0] } ?? [],
            text: TextRecord(received: text))
    }

    private func changed(_ report: Report, _ family: AvahiProtocol) {
        guard connection != nil else { return }
        guard report.event == AVAHI_RESOLVER_FOUND else { return again(family) }
        guard let found = report.found else { return }
        var merged = found
        let others = known?.port == found.port ? known?.addresses ?? [] : []
        merged.addresses = others + found.addresses.filter { !others.contains($0) }
        merged.addresses = Array(merged.addresses.prefix(Self.maximumAddresses))
        guard merged != known else { return }
        known = merged
        onEvent(.resolved(merged))
    }

    /// The daemon gives up after five seconds, and when the host has no address of a family; a longer resolution asks
    /// again.
    private func again(_ family: AvahiProtocol) {
        guard known == nil else { return }
        let number = starts
        DiscoveryQueue.queue.asyncAfter(deadline: .now() + 1) { [weak self] in
            guard let self, connection != nil, known == nil, starts == number else { return }
            do throws(DiscoveryError) { try makeResolver(family) } catch { fail(error) }
        }
    }

    private func timeIsOver(_ number: Int) {
        guard connection != nil, starts == number else { return }
        let isKnown = known != nil
        leave()
        onEvent(isKnown ? .ended : .failed(DaemonFailure.error(AvahiCode.timeout, Self.attempt)))
    }

    private func fail(_ error: DiscoveryError) {
        leave()
        onEvent(.failed(error))
    }

    private func leave() {
        for resolver in resolvers { resolver.free() }
        (resolvers, known) = ([], nil)
        connection?.leave(self)
        connection = nil
    }
}
