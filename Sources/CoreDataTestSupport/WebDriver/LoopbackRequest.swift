import CoreDataGraph
import Foundation
import Glibc

/// One request of HTTP to a program on this machine, over a connection of its own.
///
/// The open-source Foundation's `URLSession` does not read what `chromedriver` answers.
enum LoopbackRequest {
    /// How long the program may be silent.
    private static let patience = 120

    /// Sends a request and gives the answer's body, away from the threads of Swift's tasks.
    static func send(_ method: String, port: Int, path: String, body: Data?) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try exchange(method, port: port, path: path, body: body) })
            }
        }
    }

    /// Sends a request and waits for the answer's body.
    static func exchange(_ method: String, port: Int, path: String, body: Data?) throws -> Data {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard connection >= 0 else { throw failure("no socket") }
        defer { close(connection) }
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw failure("port \(port) does not answer") }
        var message = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
        if body != nil || method == "POST" {
            message += "Content-Type: application/json\r\nContent-Length: \(body?.count ?? 0)\r\n"
        }
        try write(Data((message + "\r\n").utf8) + (body ?? Data()), to: connection)
        return try readBody(from: connection)
    }

    private static func write(_ bytes: Data, to connection: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw failure("the connection was closed") }
            rest = rest.dropFirst(count)
        }
    }

    /// What follows the header, as long as the header says or else to the connection's end.
    private static func readBody(from connection: Int32) throws -> Data {
        var received = Data()
        var part = [UInt8](repeating: 0, count: 65_536)
        var end: (start: Data.Index, count: Int?)?
        while true {
            let count = recv(connection, &part, part.count, 0)
            guard count >= 0 else { throw failure("no answer within \(patience) seconds") }
            received.append(contentsOf: part[..<count])
            if end == nil, let blank = received.range(of: Data("\r\n\r\n".utf8)) {
                let header = String(decoding: received[..<blank.lowerBound], as: UTF8.self).lowercased()
                let length = header.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
                end = (blank.upperBound, length.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) })
            }
            if let end {
                let body = received[end.start...]
                if let whole = end.count, body.count >= whole { return Data(body.prefix(whole)) }
                if count == 0, end.count == nil { return Data(body) }
            }
            guard count > 0 else { throw failure("the connection was closed within the answer") }
        }
    }

    private static func failure(_ reason: String) -> WebDriverError {
        WebDriverError(code: "connection", message: reason)
    }
}
