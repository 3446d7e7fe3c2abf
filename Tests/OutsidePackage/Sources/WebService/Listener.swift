import Foundation
import Glibc

/// Takes connections on a port of this machine and answers one request on each.
public struct Listener: Sendable {
    private let socket: Int32
    private let router: Router
    /// The port, which the system has chosen.
    public let port: UInt16

    public init(router: Router) throws {
        self.router = router
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let opened = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && listen(socket, 64) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard opened else { throw POSIXError(.EADDRNOTAVAIL) }
        self.socket = socket
        port = UInt16(bigEndian: address.sin_port)
    }

    /// Answers requests until the task is cancelled or `count` of them were answered.
    public func run(requests count: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                let connection = try await accepted()
                group.addTask { await answer(connection) }
            }
            try await group.waitForAll()
        }
        close(socket)
    }

    private func accepted() async throws -> Int32 {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                let connection = accept(socket, nil, nil)
                if connection < 0 {
                    continuation.resume(throwing: POSIXError(.ECONNABORTED))
                } else {
                    continuation.resume(returning: connection)
                }
            }
        }
    }

    private func answer(_ connection: Int32) async {
        defer { close(connection) }
        guard let request = read(connection) else { return }
        let response = await router.respond(to: request)
        let head =
            "HTTP/1.1 \(response.status) -\r\nContent-Length: \(response.body.count)\r\nConnection: close\r\n\r\n"
        (Data(head.utf8) + response.body).withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = send(
                    connection, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
                guard count > 0 else { return }
                sent += count
            }
        }
    }

    private func read(_ connection: Int32) -> Request? {
        var received = Data()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            if let end = received.range(of: Data("\r\n\r\n".utf8)) {
                let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
                let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
                    .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
                let words = lines[0].split(separator: " ").map(String.init)
                if words.count > 1, received.count - end.upperBound >= length ?? 0 {
                    let parts = URLComponents(string: words[1])
                    let query = (parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") }
                    return Request(
                        method: words[0], path: parts?.path ?? "/", query: Dictionary(query) { $1 },
                        body: Data(received[end.upperBound...]))
                }
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0, received.count < 1 << 20 else { return nil }
            received.append(contentsOf: buffer[..<count])
        }
    }
}
