import Foundation
import Glibc

/// Makes sockets that are connected to a program on this machine.
package enum LoopbackSocket {
    /// Connects over TCP to a port of 127.0.0.1 and returns the descriptor, which the caller must close.
    ///
    /// - Parameters:
    ///   - patience: the timeout of reads and writes, in seconds.
    ///   - receiveBuffer: the size of the socket's receive buffer in bytes; nil for the default of the system.
    ///   - own: the last byte of the local address 127.0.0.x to bind to; nil for the choice of the system.
    /// - Throws: `POSIXError`.
    package static func connect(
        port: Int, patience: Int, receiveBuffer: Int32? = nil, from own: UInt8? = nil
    ) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw lastError }
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        let isBound = own.map { withAddress(0, host: $0) { bind(descriptor, $0, $1) } == 0 } ?? true
        guard isBound, withAddress(port, host: 1, body: { Glibc.connect(descriptor, $0, $1) }) == 0 else {
            let error = lastError
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Calls a block with the socket address 127.0.0.x, where x is `host`.
    private static func withAddress(
        _ port: Int, host: UInt8, body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = (in_addr_t(0x7F00_0000) | in_addr_t(host)).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static var lastError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
