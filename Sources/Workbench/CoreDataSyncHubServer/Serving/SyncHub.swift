import CMicroHTTPD
import CoreDataSyncHub
import CoreDataSyncing
import Dispatch
import Foundation
import HTTPServerKit
import Synchronization

/// A hub of sync: a server in this process that stores items of groups, which it cannot read, and says at once when one is new.
///
/// It answers requests from `init` to `stop`. All members may be called from any thread.
package final class SyncHub: Sendable {
    /// The port on which the hub listens.
    package let port: Int
    /// The pin of the hub's key; nil over plain HTTP.
    package let pin: KeyPin?
    private let host: String
    private let core: HubCore
    private let daemon: Mutex<Daemon?>

    /// A running daemon, and the lock of its folder; may be used from any thread.
    private struct Daemon: @unchecked Sendable {
        let pointer: OpaquePointer
        let lock: FolderLock
    }

    /// Starts the hub, with a folder and a key that are made if there are none.
    ///
    /// - Throws: `SyncError` that says why the hub cannot listen, or cannot use its folder.
    package init(_ settings: HubSettings) throws {
        let folder = settings.folder.path
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let lock = try FolderLock(folder)
        let key: HubKey? =
            switch settings.security {
            case .pinnedKeys: try HubKey(at: settings.folder.appendingPathComponent("key.pem"))
            case .plainOnLoopback, .plainAnywhere: nil
            }
        let text = try key?.text()
        do {
            core = try HubCore(settings)
            let socket = try Self.listen(settings)
            guard let started = Self.start(core, socket, settings, identity: text) else {
                close(socket.descriptor)
                throw ListeningError("the HTTP server cannot start", hint: "look at the limits of the system")
            }
            daemon = Mutex(Daemon(pointer: started, lock: lock))
            port = socket.port
        } catch let error as ListeningError {
            throw SyncError(.transport, "The hub cannot start: \(error.reason).", cure: "\(error.hint).")
        }
        (pin, host) = (key?.pin, settings.host.contains(":") ? "[\(settings.host)]" : settings.host)
    }

    deinit { stop(finishingWithin: .zero) }

    private static func listen(_ settings: HubSettings) throws -> ListeningSocket {
        if case .pinnedKeys = settings.security, MHD_is_feature_supported(.FEATURE_TLS) != .YES {
            throw ListeningError(
                "the system's libmicrohttpd was built without TLS", hint: "install one with it, or serve plain HTTP")
        }
        let socket = try ListeningSocket(host: settings.host, port: settings.port)
        if case .plainOnLoopback = settings.security, !socket.isLoopback {
            close(socket.descriptor)
            throw ListeningError(
                "plain HTTP on \(settings.host) would let everyone there read and remove all items",
                hint: "listen with TLS, or on 127.0.0.1, or say '--plain-anywhere'")
        }
        return socket
    }

    private static func start(
        _ core: HubCore, _ socket: ListeningSocket, _ settings: HubSettings, identity: [UInt8]?
    ) -> OpaquePointer? {
        let limits = settings.connections
        let sockets = cmicrohttpd_settings(
            socket: socket.descriptor, connections: UInt32(limits.connections), timeout: UInt32(limits.idleSeconds),
            memory: limits.connectionBytes)
        let context = Unmanaged.passRetained(core).toOpaque()
        let start = { (tls: UnsafePointer<cmicrohttpd_tls>?) in
            cmicrohttpd_start(
                sockets, tls, HubCallbacks.receive, HubCallbacks.begin, HubCallbacks.complete, HubCallbacks.connect,
                context)
        }
        var started: OpaquePointer?
        if let identity {
            String(decoding: identity, as: UTF8.self).withCString { text in
                "NORMAL:-VERS-ALL:+VERS-TLS1.3".withCString { priorities in
                    var tls = cmicrohttpd_tls(key: text, certificate: text, priorities: priorities)
                    started = start(&tls)
                }
            }
        } else {
            started = start(nil)
        }
        if started == nil { Unmanaged<HubCore>.fromOpaque(context).release() }
        return started
    }

    /// The address of a group, as clients use it if the host is one that they can reach.
    package func address(of group: String) -> String {
        "\(pin == nil ? "http" : "https")://\(host):\(port)/\(group)\(pin.map { "#\($0)" } ?? "")"
    }

    /// The number of requests that have begun, of those that are being answered, and of these that wait for a change.
    package var requests: (begun: Int, open: Int, waiting: Int) {
        let (begun, open) = core.counts
        return (begun, open, core.waiting.count)
    }

    /// Accepts no further requests, answers those that wait, lets the others end within a time, and releases the port. Blocks until then.
    package func stop(finishingWithin limit: Duration) {
        guard let daemon = daemon.withLock({ $0.take() }) else { return }
        let socket = MHD_quiesce_daemon(daemon.pointer)
        // The daemon may use the socket until it stops, so it is only shut down: clients are refused from here on.
        if socket >= 0 { shutdown(socket, Int32(SHUT_RDWR)) }
        core.beginEnding()
        let end = ContinuousClock.now + limit
        while core.counts.open > 0, ContinuousClock.now < end { usleep(1_000) }
        // No connection may be suspended when the daemon is stopped.
        core.abandonAll()
        // An item that is being given its name gets it before the folder is another hub's.
        core.queue.sync(flags: .barrier) {}
        MHD_stop_daemon(daemon.pointer)
        if socket >= 0 { close(socket) }
        Unmanaged.passUnretained(core).release()
        withExtendedLifetime(daemon.lock) {}
    }
}
