import CoreDataGraph
import Foundation
import Glibc

/// A connection to a program on this machine.
final class LoopbackConnection {
    /// How long the program may be silent, in seconds.
    private static let patience = 120

    private let socket: Int32

    init(port: Int) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { throw Self.failure("no socket") }
        var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            close(socket)
            throw Self.failure("port \(port) does not answer")
        }
    }

    deinit { close(socket) }

    func write(_ bytes: Data) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Self.failure("the connection was closed") }
            rest = rest.dropFirst(count)
        }
    }

    /// The next bytes, at most so many; none where the program has closed the connection.
    func readSome(_ count: Int) throws -> Data {
        var part = [UInt8](repeating: 0, count: min(count, 65_536))
        let received = recv(socket, &part, part.count, 0)
        guard received >= 0 else { throw Self.failure("no answer within \(Self.patience) seconds") }
        return Data(part[..<received])
    }

    /// The next bytes, exactly so many.
    func read(_ count: Int) throws -> Data {
        var bytes = Data()
        while bytes.count < count {
            let part = try readSome(count - bytes.count)
            guard !part.isEmpty else { throw Self.failure("the connection was closed within the answer") }
            bytes.append(part)
        }
        return bytes
    }

    static func failure(_ reason: String) -> WebDriverError { WebDriverError(code: "connection", message: reason) }
}
