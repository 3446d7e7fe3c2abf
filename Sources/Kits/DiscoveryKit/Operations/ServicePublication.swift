import CAvahi
import Dispatch

/// What a program announces.
package struct PublishedService: Sendable {
    package var name: String
    package var type: ServiceType
    /// The domain; empty for the default.
    package var domain: String
    package var port: UInt16
    package var text: TextRecord

    package init(name: String, type: ServiceType, domain: String = "", port: UInt16, text: TextRecord = .empty) {
        (self.name, self.type, self.domain, self.port, self.text) = (name, type, domain, port, text)
    }
}

/// Announces a service until it is stopped. It lives on its own while it does.
///
/// A name that another service has, on this machine or elsewhere, is changed (`Printer #2`) if the program allows it.
/// Avahi itself refuses a second service of one name on one machine, and changes no names.
///
/// Invariants:
/// 1. Everything but `onEvent` is touched on the module's queue.
/// 2. `group` is there only while `connection` is.
package final class ServicePublication: @unchecked Sendable, DaemonConnection.Member {
    package enum Event: Sendable, Equatable {
        /// The service is announced, under this name; once more when it had to be changed later.
        case published(name: String)
        /// The daemon has ended; the service is announced again when it is back.
        case interrupted(DiscoveryError)
        /// It is not, or no longer, announced, and will not be.
        case failed(DiscoveryError)
    }

    private static let attempt = "the service cannot be announced"
    /// How many names are tried: more than one machine offers of a kind.
    private static let names = 1_000

    private let onEvent: @Sendable (Event) -> Void
    private let renames: Bool
    private var service: PublishedService
    private var domain: String?
    private var connection: DaemonConnection?
    /// Whether the daemon was lost and is not back.
    private var isWaiting = false
    private var group: DaemonObject<AvahiEntryGroupState>?

    /// - Parameters:
    ///   - renames: Whether a name that is taken is changed.
    ///   - onEvent: Is called on the module's queue, and must not wait there.
    /// - Throws: `DiscoveryError` if name, type or domain break the rules; nothing is announced before `start`.
    package init(
        _ service: PublishedService, renames: Bool = true, onEvent: @escaping @Sendable (Event) -> Void
    ) throws(DiscoveryError) {
        try ServiceName.check(service.name)
        domain = try DomainName.check(service.domain)
        (self.service, self.renames, self.onEvent) = (service, renames, onEvent)
    }

    /// Begins to announce the service; no effect if it is announced, or waits for the daemon to come back.
    package func start() {
        DiscoveryQueue.queue.async { [self] in
            guard connection == nil, !isWaiting else { return }
            begin()
        }
    }

    /// Announces other entries from now on.
    package func update(_ text: TextRecord) {
        DiscoveryQueue.queue.async { [self] in
            service.text = text
            guard let connection, let group else { return }
            let code = connection.thread.locked {
                cavahi_group_update_text(
                    group.pointer, service.name, service.type.description, domain, text.bytes, text.bytes.count)
            }
            if code < 0 { fail(DaemonFailure.error(code, "the TXT record cannot be changed")) }
        }
    }

    /// Withdraws the service, and then calls `done` on the module's queue. No event comes after that.
    package func stop(_ done: @escaping @Sendable () -> Void = {}) {
        DiscoveryQueue.queue.async { [self] in
            leave()
            giveUp()
            done()
        }
    }

    // MARK: On the queue

    func daemonRuns(_ isRunning: Bool) {
        group?.free()
        group = nil
        guard isRunning else { return }
        do throws(DiscoveryError) { try register() } catch { fail(error) }
    }

    func daemonWasLost(_ error: DiscoveryError) {
        leave()
        isWaiting = true
        DaemonReturn.wait(for: self)
        onEvent(.interrupted(error))
    }

    func daemonReturned() {
        isWaiting = false
        begin()
    }

    private func giveUp() {
        isWaiting = false
        DaemonReturn.giveUp(self)
    }

    private func begin() {
        do throws(DiscoveryError) {
            connection = try DaemonConnection.join(self, Self.attempt)
            if connection?.isRunning == true { try register() }
        } catch {
            fail(error)
        }
    }

    private func register() throws(DiscoveryError) {
        guard let connection else { return }
        let group = try DaemonObject<AvahiEntryGroupState>(
            connection, Self.attempt,
            make: { context in
                cavahi_group_new(
                    connection.client,
                    { _, state, context in CallbackReceiver<AvahiEntryGroupState>.receive(state, context) }, context)
            },
            free: { cavahi_group_free($0) }, handler: { [weak self] in self?.changed($0) })
        self.group = group
        for _ in 0..<Self.names {
            let code = connection.thread.locked { add(to: group.pointer) }
            guard code == AvahiCode.collision, renames else {
                guard code >= 0 else { throw DaemonFailure.error(code, Self.attempt) }
                return
            }
            service.name = ServiceName.alternative(to: service.name)
        }
        throw DaemonFailure.error(AvahiCode.collision, Self.attempt)
    }

    private func add(to group: OpaquePointer) -> Int32 {
        let (type, text) = (service.type.description, service.text.bytes)
        var code = cavahi_group_add(group, service.name, type, domain, service.port, text, text.count)
        for subtype in service.type.subtypes where code >= 0 {
            code = cavahi_group_add_subtype(group, service.name, type, domain, "\(subtype)._sub.\(type)")
        }
        return code >= 0 ? cavahi_group_commit(group) : code
    }

    private func changed(_ state: AvahiEntryGroupState) {
        switch state {
        case AVAHI_ENTRY_GROUP_ESTABLISHED: onEvent(.published(name: service.name))
        case AVAHI_ENTRY_GROUP_COLLISION: rename()
        case AVAHI_ENTRY_GROUP_FAILURE:
            fail(DaemonFailure.error(connection?.lastError ?? AvahiCode.failure, Self.attempt))
        default: break
        }
    }

    /// Another machine has the name.
    private func rename() {
        guard renames else { return fail(DaemonFailure.error(AvahiCode.collision, Self.attempt)) }
        group?.free()
        group = nil
        service.name = ServiceName.alternative(to: service.name)
        do throws(DiscoveryError) { try register() } catch { fail(error) }
    }

    private func fail(_ error: DiscoveryError) {
        leave()
        onEvent(.failed(error))
    }

    private func leave() {
        group?.free()
        group = nil
        connection?.leave(self)
        connection = nil
    }
}
