import Foundation
import Glibc

/// Functions for Unix domain sockets.
enum UnixSocket {
    private static func address(_ path: String) throws -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { throw POSIXError(.ENAMETOOLONG) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return address
    }

    private static func make(
        _ path: String, _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool
    ) throws -> Int32 {
        var address = try address(path)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw lastError }
        let isUsable = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                use(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard isUsable else {
            let error = lastError
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static var lastError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    /// Listens at a path where no file exists.
    static func listen(at path: String) throws -> Int32 {
        try make(path) { Glibc.bind($0, $1, $2) == 0 && Glibc.listen($0, 128) == 0 }
    }

    static func connect(to path: String) throws -> Int32 {
        try make(path) { Glibc.connect($0, $1, $2) == 0 }
    }

    /// The next connection to a listening socket; negative once it is shut down.
    static func accept(_ listener: Int32) -> Int32 {
        while true {
            let socket = Glibc.accept(listener, nil, nil)
            if socket >= 0 { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
            if socket >= 0 || errno != EINTR && errno != ECONNABORTED { return socket }
        }
    }

    /// Reads the bytes that are available; nil at the end or after an error.
    static func read(_ socket: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count > 0 { return Array(buffer.prefix(count)) }
            if count == 0 || errno != EINTR { return nil }
        }
    }

    /// Writes all bytes; returns false if the other end has closed.
    static func write(_ bytes: [UInt8], to socket: Int32) -> Bool {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes {
                send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 { start += count } else if errno != EINTR { return false }
        }
        return true
    }

    /// Waits until one of two sockets has data or has ended, and returns which; neither after the timeout.
    static func readable(_ first: Int32, _ second: Int32, within milliseconds: Int32) -> (first: Bool, second: Bool) {
        var places = [first, second].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&places, 2, milliseconds) > 0 else { return (false, false) }
        return (places[0].revents != 0, places[1].revents != 0)
    }
}
