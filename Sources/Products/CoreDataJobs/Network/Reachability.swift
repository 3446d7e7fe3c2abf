import Dispatch
import Foundation
import LockKit

/// Whether the machine has a way to other machines: a default route, of IPv4 or IPv6, to a link that is up, has a carrier and is not
/// loopback.
///
///     let network = try Reachability()
///     for await isReachable in network.changes { print(isReachable ? "online" : "offline") }
///
/// The kernel reports each change of links, addresses and routes (`rtnetlink`), at which all of them are read again: when a link
/// goes down its routes go without a report of their own. Without changes no time is used. It says nothing of whether a certain
/// server answers. The network is that of the thread's namespace when this is made. Linux only.
///
/// May be used from any thread.
public final class Reachability: NetworkStatus {
    private struct State {
        var isReachable: Bool
        var observers: [Int: @Sendable (Bool) -> Void] = [:]
        var count = 0
    }

    /// What the source's queue keeps, which must not keep the object itself.
    private final class Core: Sendable {
        let listener: NetlinkSocket
        let requests: NetlinkSocket
        let state: Locked<State>
        /// Calls observers in the order of the changes.
        let delivery = DispatchQueue(label: "CoreDataJobs.Reachability.delivery")

        init() throws {
            // In this order: what changes after the table was read is reported.
            listener = try NetlinkSocket(listening: true)
            requests = try NetlinkSocket(listening: false)
            state = Locked(State(isReachable: try requests.table().isReachable))
        }

        func update() {
            guard listener.drainChanges(), let isReachable = try? requests.table().isReachable else { return }
            state.withLock { state in
                guard state.isReachable != isReachable else { return }
                state.isReachable = isReachable
                let observers = state.observers.sorted { $0.key < $1.key }.map(\.value)
                delivery.async { for observer in observers { observer(isReachable) } }
            }
        }
    }

    private let core: Core
    // Used in init and deinit alone.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// Reads the state, and begins to follow it.
    ///
    /// - Throws: ``JobError`` of code `noNetworkState` where the kernel's routing socket cannot be used.
    public init() throws {
        let core = try Core()
        self.core = core
        let queue = DispatchQueue(label: "CoreDataJobs.Reachability")
        source = DispatchSource.makeReadSource(fileDescriptor: core.listener.descriptor, queue: queue)
        source.setEventHandler { core.update() }
        // The descriptor must stay open until the source has let it go.
        source.setCancelHandler { withExtendedLifetime(core) {} }
        source.activate()
    }

    deinit { source.cancel() }

    public var isReachable: Bool { core.state.withLock { $0.isReachable } }

    public func observe(_ handler: @escaping @Sendable (Bool) -> Void) -> Observation {
        let number = core.state.withLock { state in
            state.count += 1
            state.observers[state.count] = handler
            return state.count
        }
        return Observation { [weak core] in core?.state.withLock { $0.observers[number] = nil } }
    }

    /// The state now, and then each change.
    public var changes: AsyncStream<Bool> {
        AsyncStream { [self] continuation in
            core.state.withLock { state in
                let now = state.isReachable
                state.count += 1
                let number = state.count
                state.observers[number] = { continuation.yield($0) }
                continuation.yield(now)
                continuation.onTermination = { [self] _ in core.state.withLock { $0.observers[number] = nil } }
            }
        }
    }
}
