import DiscoveryKit
import Foundation
import LockKit

/// A service on the network: one of this program, to be published, or one that was found, to be resolved.
///
/// As Apple's class of this name, which open-source Foundation lacks. Differences: it may be used from any thread;
/// `lastError` says in words what the delegate's dictionary says in numbers; ``schedule(on:)`` takes a queue instead of
/// a run loop. A service that is released stops.
///
/// Of its state (`Activity`), at most one is under way; monitoring goes on beside it.
open class NetService: NSObject, @unchecked Sendable {
    enum Activity {
        case none
        case publishing(ServicePublication, StreamListener?)
        case resolving(ServiceResolution)
    }

    struct State {
        weak var delegate: (any NetServiceDelegate)?
        var name: String
        var port: Int
        var hostName: String?
        var addresses: [Data] = []
        var text: Data?
        var activity = Activity.none
        var monitoring: ServiceResolution?
        var error: NetServiceError?
    }

    /// The domain, `local.` for the network at hand; empty for the default.
    public let domain: String
    /// The type with its transport, as `_http._tcp.`.
    public let type: String
    /// Whether the service was made to be published.
    let isLocal: Bool
    let state: Locked<State>
    let scheduler: CallbackScheduler

    /// Makes a service to be published.
    ///
    /// - Parameters:
    ///   - domain: Empty for the default domain.
    ///   - type: The protocol with its transport, as `_oz-tictactoe._tcp`; subtypes may follow behind commas.
    ///   - name: 1 to 63 bytes of UTF-8; empty for the name of the host.
    ///   - port: Where the program listens; 0, with the option ``Options/listenForConnections``, for any free port.
    public init(domain: String, type: String, name: String, port: Int32) {
        (self.domain, self.type, isLocal) = (domain, type, true)
        let shown = name.isEmpty ? NetService.hostName : name
        state = Locked(State(name: shown, port: Int(port)))
        scheduler = CallbackScheduler(loop: .current)
    }

    /// Makes a service to be resolved.
    public init(domain: String, type: String, name: String) {
        (self.domain, self.type, isLocal) = (domain, type, false)
        state = Locked(State(name: name, port: -1))
        scheduler = CallbackScheduler(loop: .current)
    }

    /// A service that browsing found.
    init(_ service: DiscoveredService, like scheduler: CallbackScheduler) {
        (domain, type, isLocal) = (service.domain + ".", service.type + ".", false)
        state = Locked(State(name: service.name, port: -1))
        self.scheduler = CallbackScheduler(like: scheduler)
    }

    deinit {
        let (activity, monitoring) = state.withLock { ($0.activity, $0.monitoring) }
        Self.end(activity)
        monitoring?.stop()
    }

    private static var hostName: String {
        let name = ProcessInfo.processInfo.hostName.split(separator: ".").first.map(String.init) ?? ""
        return name.isEmpty || name.utf8.count > ServiceName.maximumBytes ? "localhost" : name
    }

    // MARK: What it is

    /// What is notified of the service; not retained.
    open var delegate: (any NetServiceDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }
    /// The name; that of a published service may be another one than was asked for.
    open var name: String { state.withLock { $0.name } }
    /// The port; -1 until a service that was found is resolved.
    open var port: Int { state.withLock { $0.port } }
    /// The name of the host; nil until the service is resolved.
    open var hostName: String? { state.withLock { $0.hostName } }
    /// The addresses, each a `sockaddr`; nil until the service is resolved.
    open var addresses: [Data]? { state.withLock { $0.addresses.isEmpty ? nil : $0.addresses } }
    /// Why the last request failed, in words; nil after one that did not.
    public var lastError: NetServiceError? { state.withLock { $0.error } }

    // MARK: Where the delegate is called

    /// Calls the delegate on a run loop too, in a mode.
    ///
    /// On run loops other than the main one the calls come by timers, so that `run(mode:before:)` does not return after
    /// one, as it does on Apple's systems.
    open func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        scheduler.schedule(in: aRunLoop, forMode: mode)
    }

    /// Calls the delegate no longer on a run loop in a mode. Without any, calls wait for the next `schedule`.
    open func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        scheduler.remove(from: aRunLoop, forMode: mode)
    }

    /// Calls the delegate on a serial queue from now on, and on no run loop.
    public func schedule(on queue: DispatchQueue) { scheduler.schedule(on: queue) }

    /// Calls the delegate, if the service is still there.
    func notify(_ call: @escaping @Sendable (any NetServiceDelegate, NetService) -> Void) {
        scheduler.perform { [weak self] in
            guard let self, let delegate else { return }
            call(delegate, self)
        }
    }

    // MARK: The end

    /// Ends publishing or resolving; the delegate is notified when it has ended. No effect if neither is under way.
    open func stop() {
        let activity = state.withLock { state in
            defer { state.activity = .none }
            return state.activity
        }
        Self.end(activity) { [weak self] in self?.notify { $0.netServiceDidStop($1) } }
    }

    static func end(_ activity: Activity, _ done: @escaping @Sendable () -> Void = {}) {
        switch activity {
        case .none: break
        case .publishing(let publication, let listener):
            listener?.stop()
            publication.stop(done)
        case .resolving(let resolution): resolution.stop(done)
        }
    }
}
