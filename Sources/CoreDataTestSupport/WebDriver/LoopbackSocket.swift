import CoreDataGraph
import Foundation
import Glibc

/// Sockets that are connected to a program on this machine.
package enum LoopbackSocket {
    /// Connects over TCP to a port of the loopback address; who called closes the descriptor.
    ///
    /// - Parameters:
    ///   - patience: how long reading and writing wait, in seconds.
    ///   - receiveBuffer: the bytes that the system keeps for a reader that does not read; nil for its usual number.
    /// - Throws: `POSIXError`.
    package static func connect(port: Int, patience: Int, receiveBuffer: Int32? = nil) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw lastError }
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            let error = lastError
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static var lastError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
