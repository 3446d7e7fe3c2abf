import Foundation

/// Sends HTTP requests to a program on this machine, each over a new connection.
///
/// The `URLSession` of open-source Foundation cannot read the responses of `chromedriver`.
package enum LoopbackRequest {
    /// Sends a request on a Dispatch thread, so that no thread of Swift concurrency blocks, and returns the response's
    /// body.
    package static func send(_ method: String, port: Int, path: String, body: Data?) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try exchange(method, port: port, path: path, body: body) })
            }
        }
    }

    /// Sends a request, blocks until the response is complete and returns its body.
    package static func exchange(_ method: String, port: Int, path: String, body: Data?) throws -> Data {
        let connection = try LoopbackConnection(port: port)
        var message = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
        if body != nil || method == "POST" {
            message += "Content-Type: application/json\r\nContent-Length: \(body?.count ?? 0)\r\n"
        }
        try connection.write(Data((message + "\r\n").utf8) + (body ?? Data()))
        return try readBody(from: connection)
    }

    /// Reads the body of the response: as many bytes as `Content-Length` states, otherwise all until the connection
    /// ends.
    private static func readBody(from connection: LoopbackConnection) throws -> Data {
        var received = Data()
        var end: (start: Data.Index, count: Int?)?
        while true {
            let part = try connection.readSome(.max)
            received.append(part)
            if end == nil, let blank = received.range(of: Data("\r\n\r\n".utf8)) {
                let header = String(decoding: received[..<blank.lowerBound], as: UTF8.self).lowercased()
                let length = header.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
                end = (blank.upperBound, length.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) })
            }
            if let end {
                let body = received[end.start...]
                if let whole = end.count, body.count >= whole { return Data(body.prefix(whole)) }
                if part.isEmpty, end.count == nil { return Data(body) }
            }
            guard !part.isEmpty else {
                throw LoopbackConnection.failure("the connection was closed within the answer")
            }
        }
    }
}
