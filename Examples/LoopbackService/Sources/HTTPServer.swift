import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Serves HTTP on the loopback interface: one request a connection, each on a thread of its own.
public final class HTTPServer: @unchecked Sendable {
    /// The port that the system chose.
    public let port: UInt16
    private let socket: Int32
    private let answer: @Sendable (HTTPRequest) -> HTTPResponse

    /// Starts to serve; `answer` is called on several threads at once.
    ///
    /// - Throws: `POSIXError` if there is no port to listen on.
    public init(answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse) throws {
        self.answer = answer
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        socket = Self.systemSocket(kind)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 && listen(socket, 128) == 0
                    && getsockname(socket, address, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard socket >= 0, isBound else {
            if socket >= 0 { close(socket) }
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        Thread.detachNewThread { [self] in accept() }
    }

    /// The URL of a path, which begins with `/`.
    public func url(_ path: String) -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { preconditionFailure("no path: \(path)") }
        return url
    }

    private static func systemSocket(_ kind: Int32) -> Int32 {
        #if canImport(Darwin)
            Darwin.socket(AF_INET, kind, 0)
        #elseif canImport(Musl)
            Musl.socket(AF_INET, kind, 0)
        #else
            Glibc.socket(AF_INET, kind, 0)
        #endif
    }

    /// Ends serving: connections are refused from now on.
    public func stop() { shutdown(socket, Int32(SHUT_RDWR)) }

    private func accept() {
        while true {
            let connection = systemAccept()
            guard connection >= 0 else {
                close(socket)
                return
            }
            var patience = timeval(tv_sec: 10, tv_usec: 0)
            setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
            Thread.detachNewThread { [self] in serve(connection) }
        }
    }

    private func systemAccept() -> Int32 {
        #if canImport(Darwin)
            Darwin.accept(socket, nil, nil)
        #elseif canImport(Musl)
            Musl.accept(socket, nil, nil)
        #else
            Glibc.accept(socket, nil, nil)
        #endif
    }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let request = HTTPRequest {
            let count = recv(connection, &buffer, buffer.count, 0)
            return count > 0 ? Data(buffer[..<count]) : Data()
        }
        let bytes = (request.map(answer) ?? .refusal(400, "This is no request.")).bytes
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        bytes.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = send(connection, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, flags)
                guard count > 0 else { return }
                sent += count
            }
        }
    }
}
