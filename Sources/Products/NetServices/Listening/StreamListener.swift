import Dispatch
import Foundation
import LockKit

/// Listens on a port, by IPv4 and IPv6, and hands out each accepted connection as a pair of streams, not opened yet.
///
/// Invariants:
/// 1. The descriptor is closed once, when the system no longer watches it.
public final class StreamListener: Sendable {
    /// How many connections wait until they are accepted.
    private static let backlog: Int32 = 128
    /// How long accepting rests when the system has no descriptors left.
    private static let rest: DispatchTimeInterval = .milliseconds(100)

    /// The port: the one that was asked for, or the one that the system chose for 0.
    public let port: Int
    private let descriptor: Int32
    private let onConnection: @Sendable (InputStream, OutputStream) -> Void
    /// Dispatch sources are thread-safe, although their protocol does not say so.
    nonisolated(unsafe) private let source: any DispatchSourceRead
    private let isStopped = Locked(false)

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - port: 0 for any free port.
    ///   - queue: A serial queue, on which connections are handed out; nil for one of its own.
    ///   - onConnection: Gets the streams of each connection. A connection whose streams are not kept is closed.
    /// - Throws: `NetServiceError` if the port is taken or is none.
    public init(
        port: Int = 0, queue: DispatchQueue? = nil,
        onConnection: @escaping @Sendable (InputStream, OutputStream) -> Void
    ) throws {
        guard (0...65_535).contains(port) else {
            throw NetServiceError(
                .badArgumentError, "\(port) is not the number of a port", hint: "ports are 1 to 65535; 0 takes any")
        }
        (descriptor, self.port) = try Self.open(port)
        self.onConnection = onConnection
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: queue ?? DispatchQueue(label: "NetServices.StreamListener"))
        source.setEventHandler { [weak self] in self?.acceptAll() }
        source.setCancelHandler { [descriptor] in close(descriptor) }
        source.resume()
    }

    deinit { stop() }

    /// Frees the port; connections stay. Connections that were not accepted yet are closed.
    public func stop() {
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        guard isFirst else { return }
        // The port is free at once, and not when the system has stopped to watch.
        shutdown(descriptor, Int32(SHUT_RDWR))
        source.cancel()
    }

    private func acceptAll() {
        while !isStopped.withLock({ $0 }) {
            let accepted = accept(descriptor, nil, nil)
            if accepted >= 0 {
                _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
                let connection = SocketConnection(accepted: accepted)
                onConnection(SocketInputStream(connection), SocketOutputStream(connection))
                continue
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return restAWhile()
            default: return
            }
        }
    }

    private func restAWhile() {
        source.suspend()
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.rest) { [self] in source.resume() }
    }

    // MARK: Opening

    /// One socket for IPv6 and IPv4; one for IPv4 where the system has no IPv6.
    private static func open(_ port: Int) throws -> (descriptor: Int32, port: Int) {
        do { return try open(port, AF_INET6) } catch let error as POSIXError where error.code == .EAFNOSUPPORT {
        } catch let error as POSIXError where error.code == .EADDRNOTAVAIL {
        } catch { throw failure(port, error) }
        do { return try open(port, AF_INET) } catch { throw failure(port, error) }
    }

    private static func failure(_ port: Int, _ error: any Error) -> NetServiceError {
        NetServiceError(
            .invalidError, "port \(port) cannot be listened on: \(error.localizedDescription)",
            hint: "choose another port; 0 takes any")
    }

    private static func open(_ port: Int, _ family: Int32) throws -> (descriptor: Int32, port: Int) {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw SocketConnector.lastError }
        var (on, off): (Int32, Int32) = (1, 0)
        let size = socklen_t(MemoryLayout<Int32>.size)
        // A port with connections in the state TIME_WAIT counts as free.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size)
        if family == AF_INET6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &off, size) }
        var bound = sockaddr_storage()
        withUnsafeMutableBytes(of: &bound) { bytes in
            bytes.storeBytes(of: sa_family_t(family), as: sa_family_t.self)
            // The port stands in the same place in both kinds of addresses; an address of zeros means all.
            bytes.storeBytes(of: UInt16(port).bigEndian, toByteOffset: 2, as: UInt16.self)
        }
        var length = socklen_t(family == AF_INET6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
        let listens = withUnsafeMutablePointer(to: &bound) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, backlog) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard listens else {
            let error = SocketConnector.lastError
            close(descriptor)
            throw error
        }
        return (descriptor, withUnsafeBytes(of: bound) { Int(UInt16($0[2]) << 8 | UInt16($0[3])) })
    }
}
