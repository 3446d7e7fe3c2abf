import DiscoveryKit
import Foundation
import LockKit

/// Searches for services of a type, or for domains.
///
/// As Apple's class of this name, which open-source Foundation lacks, with the differences of ``NetService``. While it
/// searches it lives on its own, and its delegate hears that it has stopped before it is released.
///
/// Invariants:
/// 1. `holder` is the browser itself from the beginning of a search until the delegate was notified of its end.
open class NetServiceBrowser: NSObject, @unchecked Sendable {
    private enum Search {
        case none
        case services(ServiceBrowsing)
        case domains(DomainBrowsing)
    }

    private struct State {
        weak var delegate: (any NetServiceBrowserDelegate)?
        var search = Search.none
        var found: [DiscoveredService: NetService] = [:]
        var error: NetServiceError?
        var holder: NetServiceBrowser?
    }

    private let state = Locked(State())
    private let scheduler: CallbackScheduler

    /// Makes a browser whose delegate is called on the run loop of this thread.
    public override init() { scheduler = CallbackScheduler(loop: .current) }

    /// What is notified of the search; not retained.
    open var delegate: (any NetServiceBrowserDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }
    /// Why the last search failed, in words; nil after one that did not.
    public var lastError: NetServiceError? { state.withLock { $0.error } }

    // MARK: Where the delegate is called

    /// Calls the delegate on a run loop too, in a mode; see ``NetService/schedule(in:forMode:)``.
    open func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        scheduler.schedule(in: aRunLoop, forMode: mode)
    }

    /// Calls the delegate no longer on a run loop in a mode. Without any, calls wait for the next `schedule`.
    open func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        scheduler.remove(from: aRunLoop, forMode: mode)
    }

    /// Calls the delegate, and those of the services that are found, on a serial queue from now on, and on no run loop.
    public func schedule(on queue: DispatchQueue) { scheduler.schedule(on: queue) }

    private func notify(_ call: @escaping @Sendable (any NetServiceBrowserDelegate, NetServiceBrowser) -> Void) {
        scheduler.perform { [self] in
            if let delegate { call(delegate, self) }
        }
    }

    // MARK: Searching

    /// Searches for services.
    ///
    /// - Parameters:
    ///   - type: As `_oz-tictactoe._tcp`; a subtype may follow behind a comma.
    ///   - domainString: Empty for the default domain.
    open func searchForServices(ofType type: String, inDomain domainString: String) {
        begin { () throws(DiscoveryError) in
            let browsing = try ServiceBrowsing(try ServiceType(parsing: type), domain: domainString) {
                [weak self] event in
                switch event {
                case .found(let service, let more): self?.found(service, more)
                case .removed(let service, let more): self?.removed(service, more)
                // The search goes on when the daemon is back; its services were removed.
                case .interrupted(let error): self?.state.withLock { $0.error = NetServiceError(error) }
                case .failed(let error): self?.failed(NetServiceError(error))
                }
            }
            return (.services(browsing), { browsing.start() })
        }
    }

    /// Searches for the domains in which services can be looked for.
    open func searchForBrowsableDomains() { searchForDomains(.browsing) }

    /// Searches for the domains in which services can be published.
    open func searchForRegistrationDomains() { searchForDomains(.registration) }

    private func searchForDomains(_ kind: DomainBrowsing.Kind) {
        begin { () throws(DiscoveryError) in
            let browsing = DomainBrowsing(kind) { [weak self] event in
                switch event {
                case .found(let domain, let more):
                    self?.notify { $0.netServiceBrowser($1, didFindDomain: domain + ".", moreComing: more) }
                case .removed(let domain, let more):
                    self?.notify { $0.netServiceBrowser($1, didRemoveDomain: domain + ".", moreComing: more) }
                case .failed(let error): self?.failed(NetServiceError(error))
                }
            }
            return (.domains(browsing), { browsing.start() })
        }
    }

    private func begin(_ make: () throws(DiscoveryError) -> (Search, start: () -> Void)) {
        notify { $0.netServiceBrowserWillSearch($1) }
        guard case .none = state.withLock({ $0.search }) else {
            let error = NetServiceError(.activityInProgress, "the browser searches already", hint: "stop it before")
            state.withLock { $0.error = error }
            return notify { $0.netServiceBrowser($1, didNotSearch: error.dictionary) }
        }
        do throws(DiscoveryError) {
            let (search, start) = try make()
            state.withLock { ($0.search, $0.error, $0.holder) = (search, nil, self) }
            start()
        } catch {
            failed(NetServiceError(error))
        }
    }

    /// Ends the search; the delegate is notified when it has ended. No effect if there is none.
    open func stop() {
        let search = state.withLock { state in
            defer { (state.search, state.found) = (.none, [:]) }
            return state.search
        }
        let done: @Sendable () -> Void = { [weak self] in self?.stopped() }
        switch search {
        case .none: break
        case .services(let browsing): browsing.stop(done)
        case .domains(let browsing): browsing.stop(done)
        }
    }

    private func stopped() {
        notify { [self] in
            $0.netServiceBrowserDidStopSearch($1)
            release()
        }
        // Without a delegate no call releases it.
        if delegate == nil { release() }
    }

    private func release() {
        // Released outside of the lock, which it owns.
        let holder = state.withLock { state in
            defer { if case .none = state.search { state.holder = nil } }
            return state.holder
        }
        withExtendedLifetime(holder) {}
    }

    // MARK: What comes

    private func found(_ service: DiscoveredService, _ moreComing: Bool) {
        let object = NetService(service, like: scheduler)
        state.withLock { $0.found[service] = object }
        notify { $0.netServiceBrowser($1, didFind: object, moreComing: moreComing) }
    }

    private func removed(_ service: DiscoveredService, _ moreComing: Bool) {
        guard let object = state.withLock({ $0.found.removeValue(forKey: service) }) else { return }
        notify { $0.netServiceBrowser($1, didRemove: object, moreComing: moreComing) }
    }

    private func failed(_ error: NetServiceError) {
        state.withLock { ($0.search, $0.found, $0.error) = (.none, [:], error) }
        notify { [self] in
            $0.netServiceBrowser($1, didNotSearch: error.dictionary)
            release()
        }
        if delegate == nil { release() }
    }
}
