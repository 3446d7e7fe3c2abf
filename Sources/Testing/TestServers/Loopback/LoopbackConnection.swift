import Foundation
import Glibc

/// A connection to a program on this machine.
package final class LoopbackConnection {
    /// The timeout of a read or write, in seconds.
    private static let patience = 120

    private let socket: Int32

    /// Connects to a port of the loopback address.
    ///
    /// - Throws: `LoopbackFailure` if the connection fails.
    package init(port: Int) throws {
        do {
            socket = try LoopbackSocket.connect(port: port, patience: Self.patience)
        } catch {
            throw Self.failure("port \(port) does not answer")
        }
    }

    deinit { close(socket) }

    /// Sends bytes, all of them.
    package func write(_ bytes: Data) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Self.failure("the connection was closed") }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads at least one and at most `count` bytes; returns no bytes if the program has closed the connection.
    func readSome(_ count: Int) throws -> Data {
        var part = [UInt8](repeating: 0, count: min(count, 65_536))
        let received = recv(socket, &part, part.count, 0)
        guard received >= 0 else { throw Self.failure("no answer within \(Self.patience) seconds") }
        return Data(part[..<received])
    }

    /// Reads exactly `count` bytes.
    package func read(_ count: Int) throws -> Data {
        var bytes = Data()
        while bytes.count < count {
            let part = try readSome(count - bytes.count)
            guard !part.isEmpty else { throw Self.failure("the connection was closed within the answer") }
            bytes.append(part)
        }
        return bytes
    }

    static func failure(_ reason: String) -> LoopbackFailure { LoopbackFailure(description: reason) }
}
