import CMicroHTTPD
import Dispatch
import Synchronization

/// Detects clients that have disconnected: libmicrohttpd does not check a suspended connection.
///
/// A client that closes only its sending side counts as disconnected too, as in other servers.
package final class DisconnectWatch: Sendable {
    private let set: Int32
    /// Dispatch sources are thread-safe, although their protocol does not say so.
    nonisolated(unsafe) private let source: any DispatchSourceRead
    private let watched: Mutex<[UInt64: @Sendable () -> Void]> = Mutex([:])

    /// - Throws: `ListeningError` if the system cannot open another file descriptor.
    package init() throws {
        set = cmicrohttpd_watch_create()
        guard set >= 0 else {
            throw ListeningError(
                "connections cannot be watched: \(String(cString: strerror(errno)))",
                hint: "look at the limits of the system")
        }
        let queue = DispatchQueue(label: "HTTPServerKit.DisconnectWatch")
        source = DispatchSource.makeReadSource(fileDescriptor: set, queue: queue)
        source.setEventHandler { [weak self] in self?.notify() }
        let set = set
        source.setCancelHandler { close(set) }
        source.resume()
    }

    deinit { source.cancel() }

    /// Calls `gone` once, when the other side of a socket closes it.
    package func add(_ socket: Int32, as number: UInt64, gone: @escaping @Sendable () -> Void) {
        watched.withLock { $0[number] = gone }
        cmicrohttpd_watch_add(set, socket, number)
    }

    /// Stops watching a socket. Must be called before the socket is closed.
    package func remove(_ socket: Int32, _ number: UInt64) {
        cmicrohttpd_watch_remove(set, socket)
        watched.withLock { $0[number] = nil }
    }

    private func notify() {
        var number: UInt64 = 0
        while cmicrohttpd_watch_next(set, &number) != 0 {
            watched.withLock { $0.removeValue(forKey: number) }?()
        }
    }
}
