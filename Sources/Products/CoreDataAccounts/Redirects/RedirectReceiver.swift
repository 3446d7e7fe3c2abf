import CoreDataTransfer
import Foundation
import LockKit

/// Listens on a free port of `127.0.0.1` for the one request with which a browser brings the answer of a provider (RFC 8252, 7.3).
///
/// One request is taken, whose path, `Host` and query are the expected ones; all others are refused and the port is listened on
/// further. At most 8 connections are open, each for 5 seconds and 8 KiB, and 1,000 requests are answered. The page that is shown
/// has nothing of the request in it.
final class RedirectReceiver: Sendable {
    private enum State {
        case waiting
        case awaited(CheckedContinuation<String, any Error>)
        case ended(Result<String, any Error>)
    }

    private let listener: Descriptor
    private let path: String
    private let port: Int
    private let state = Locked(State.waiting)

    /// - Throws: ``AccountError`` with `noRedirect` if no port is free.
    init(path: String) throws {
        self.path = path
        guard let listener = Descriptor.opened(Self.socket()), let port = Self.listen(listener.number) else {
            throw AccountError(
                .noRedirect, "no port of 127.0.0.1 can be listened on: \(String(cString: strerror(errno)))")
        }
        (self.listener, self.port) = (listener, port)
    }

    /// Where the provider sends the browser to.
    var redirect: String { "http://127.0.0.1:\(port)\(path)" }

    /// Begins to answer requests, on a thread of its own, until one is taken, the limit is over or ``stop()`` is called.
    ///
    /// - Parameter isExpected: whether a query is the expected answer.
    func start(within limit: Duration, isExpected: @escaping @Sendable (String) -> Bool) {
        let rules = RedirectRules(path: path, host: "127.0.0.1:\(port)", isExpected: isExpected)
        let loop = RedirectLoop(listener, rules: rules, end: .now + limit)
        let thread = Thread { [self] in
            do {
                end(.success(try loop.run { isEnded }))
            } catch {
                end(.failure(error))
            }
        }
        thread.name = "AccountRedirect"
        thread.start()
    }

    /// The query of the request that was taken.
    ///
    /// - Throws: ``AccountError``: `expired`, `noRedirect`; `CancellationError`.
    func query() async throws -> String {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<String, any Error>? = state.withLock { state in
                    guard case .ended(let result) = state else {
                        state = .awaited(continuation)
                        return nil
                    }
                    return result
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            stop()
        }
    }

    /// Takes no more requests.
    func stop() {
        end(.failure(CancellationError()))
        // The thread's wait ends; the descriptor is closed with the last reference.
        shutdown(listener.number, Int32(SHUT_RDWR))
    }

    private var isEnded: Bool {
        state.withLock { state in
            if case .ended = state { true } else { false }
        }
    }

    /// The first end counts.
    private func end(_ result: Result<String, any Error>) {
        let continuation: CheckedContinuation<String, any Error>? = state.withLock { state in
            switch state {
            case .ended: return nil
            case .waiting:
                state = .ended(result)
                return nil
            case .awaited(let continuation):
                state = .ended(result)
                return continuation
            }
        }
        continuation?.resume(with: result)
    }

    private static func socket() -> Int32 {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        return systemSocket(AF_INET, kind, 0)
    }

    /// Binds a socket to a free port of this machine's own address, and listens; nil if that fails.
    private static func listen(_ socket: Int32) -> Int? {
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && systemListen(socket, 8) == 0
                    && getsockname(socket, $0, &length) == 0
            }
        }
        return isListening ? Int(in_port_t(bigEndian: address.sin_port)) : nil
    }
}

/// The system's calls, for a type that has methods of their names.
private func systemSocket(_ domain: Int32, _ kind: Int32, _ protocolNumber: Int32) -> Int32 {
    socket(domain, kind, protocolNumber)
}

private func systemListen(_ socket: Int32, _ count: Int32) -> Int32 { listen(socket, count) }
