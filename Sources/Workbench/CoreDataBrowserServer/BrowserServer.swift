import CMicroHTTPD
import CoreDataBrowser
import Dispatch
import HTTPServerKit
import Synchronization

/// An HTTP server in this process that serves a browser, on 127.0.0.1 only.
///
/// It answers requests from `init` to `stop`. All members may be called from any thread.
///
/// ```swift
/// import CoreDataBrowserServer
///
/// let browser = Browser()
/// browser.show(container.persistentStoreCoordinator, name: "Shop")
/// let server = try BrowserServer(browser)
/// print("Open \(server.link())")
/// server.stop()
/// ```
public final class BrowserServer: Sendable {
    /// The port on which the server listens.
    public let port: Int
    private let core: ServerCore
    private let daemon: Mutex<Daemon?>
    /// The streams that end when the server ends, one for each call of `run`.
    let runs = Mutex<[AsyncStream<Void>.Continuation]>([])

    /// A running daemon; may be used from any thread.
    private struct Daemon: @unchecked Sendable { let pointer: OpaquePointer }

    /// Starts the server.
    ///
    /// - Parameter port: 0 for any port. If another program uses the port, the next free one is used.
    /// - Throws: An error that says why the server cannot listen.
    public convenience init(_ browser: Browser, port: Int = 0) throws {
        try self.init(browser, port: port, limits: ServerLimits())
    }

    /// Starts the server with the caller's limits.
    package init(_ browser: Browser, port: Int, limits: ServerLimits) throws {
        let socket: ListeningSocket
        do {
            core = try ServerCore(browser, places: ConnectionPlaces(limits))
            socket = try ListeningSocket(port: port)
        } catch let error as ListeningError {
            throw BrowserFailure(500, code: "noPort", reason: error.reason, hint: error.hint)
        }
        self.port = socket.port
        let settings = cmicrohttpd_settings(
            socket: socket.descriptor, connections: UInt32(limits.connections), timeout: UInt32(limits.idleSeconds),
            memory: limits.connectionBytes)
        browser.core.access.serve(port: socket.port)
        let context = Unmanaged.passRetained(core).toOpaque()
        guard
            let started = cmicrohttpd_start(
                settings, nil, ServerCallbacks.receive, ServerCallbacks.begin, ServerCallbacks.complete,
                ServerCallbacks.connect, context)
        else {
            browser.core.access.endServing(port: socket.port)
            close(socket.descriptor)
            Unmanaged<ServerCore>.fromOpaque(context).release()
            throw BrowserFailure(
                500, code: "noServer", reason: "the HTTP server cannot start", hint: "look at the limits of the system")
        }
        daemon = Mutex(Daemon(pointer: started))
    }

    deinit { stop() }

    /// The address of the first page, without a code.
    public var address: String { "http://127.0.0.1:\(port)\(core.browser.core.options.basePath)/" }

    /// The address of the first page with a new code, which opens a session once.
    public func link() -> String { address + "?code=" + core.browser.core.access.sessions.code() }

    /// The number of requests that are being answered, including those whose tasks still run after their clients have
    /// disconnected.
    package var requests: Int { core.count }

    /// Ends all requests and releases the port. Steps that tabs have staged stay in their journals.
    public func stop() {
        guard let ending = beginEnding() else { return }
        core.abandonAll()
        let end = DispatchTime.now() + .seconds(5)
        while core.count > 0, DispatchTime.now() < end { usleep(1000) }
        ending.finish()
    }

    /// Stops accepting connections and requests, lets running requests end within a time, and releases the port.
    ///
    /// Event streams, which are endless, are ended at once, and other requests when the time is over.
    public func stop(finishingWithin limit: Duration) async {
        guard let ending = beginEnding() else { return }
        core.abandonEndless()
        // Requests may finish even if the calling task is cancelled.
        await Task { [core] in
            let end = ContinuousClock.now + limit
            while core.count > 0, ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(5)) }
            core.abandonAll()
            let grace = ContinuousClock.now + .seconds(5)
            while core.count > 0, ContinuousClock.now < grace { try? await Task.sleep(for: .milliseconds(1)) }
            ending.finish()
        }.value
    }

    /// Stops accepting connections; nil if another call already ends the server.
    private func beginEnding() -> Ending? {
        guard let daemon = daemon.withLock({ $0.take() }) else { return nil }
        for run in runs.withLock(\.self) { run.finish() }
        let socket = MHD_quiesce_daemon(daemon.pointer)
        // The daemon may use the socket until it stops, so the socket is only shut down: clients are refused from here
        // on.
        if socket >= 0 { shutdown(socket, Int32(SHUT_RDWR)) }
        return Ending(daemon: daemon, core: core, port: port, socket: socket)
    }

    /// A server that no longer accepts connections.
    private struct Ending: Sendable {
        let daemon: Daemon
        let core: ServerCore
        let port: Int
        let socket: Int32

        /// Stops the daemon. No connection may be suspended then, so all requests have ended before.
        func finish() {
            core.browser.core.access.endServing(port: port)
            MHD_stop_daemon(daemon.pointer)
            if socket >= 0 { close(socket) }
            Unmanaged.passUnretained(core).release()
        }
    }
}
