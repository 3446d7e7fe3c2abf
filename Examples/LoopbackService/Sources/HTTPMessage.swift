import Foundation

/// One request of HTTP/1.1, as far as small services need it.
public struct HTTPRequest: Sendable {
    public let method: String
    /// The parts of the path, decoded.
    public let path: [String]
    public let query: [String: String]
    /// By names in lower case.
    public let headers: [String: String]
    public let body: Data

    /// Makes a request, for services that are asked without a server.
    public init(
        method: String = "GET", path: [String], query: [String: String] = [:], headers: [String: String] = [:],
        body: Data = Data()
    ) {
        (self.method, self.path, self.query, self.headers, self.body) = (method, path, query, headers, body)
    }
}

/// What the service answers.
public struct HTTPResponse: Sendable {
    public var status = 200
    public var headers: [String: String] = [:]
    public var body = Data()

    public init(status: Int = 200, headers: [String: String] = [:], body: Data = Data()) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    /// Text or other bytes, with their type.
    public static func content(_ body: Data, _ type: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: ["Content-Type": type], body: body)
    }

    public static func json(_ object: Any, status: Int = 200, headers: [String: String] = [:]) -> HTTPResponse {
        let body = (try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])) ?? Data()
        return HTTPResponse(
            status: status, headers: headers.merging(["Content-Type": "application/json"]) { $1 }, body: body)
    }

    /// A refusal with a reason that clients can show.
    public static func refusal(_ status: Int, _ reason: String) -> HTTPResponse {
        json(["reason": reason], status: status)
    }

    /// The bytes on the wire; one response a connection.
    var bytes: Data {
        var head = "HTTP/1.1 \(status) \(status < 400 ? "OK" : "Refused")\r\n"
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
        head += "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        return Data(head.utf8) + body
    }
}

extension HTTPRequest {
    /// The parameters of a form in the body.
    public var form: [String: String] {
        String(decoding: body, as: UTF8.self).split(separator: "&").reduce(into: [:]) { parameters, pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? ""
            }
            parameters[parts[0]] = parts.count > 1 ? parts[1] : ""
        }
    }

    static let mostHead = 64 * 1024
    static let mostBody = 64 * 1024 * 1024

    /// Reads a request with what `more` gives, a piece at a time, empty at the end; nil for what is none.
    public init?(reading more: () -> Data) {
        var bytes = Data()
        let end = Data("\r\n\r\n".utf8)
        var headEnd: Range<Data.Index>?
        while headEnd == nil {
            let piece = more()
            guard !piece.isEmpty, bytes.count + piece.count <= Self.mostHead + Self.mostBody else { return nil }
            let from = max(0, bytes.count - 3)
            bytes.append(piece)
            headEnd = bytes.range(of: end, in: from..<bytes.count)
            guard headEnd != nil || bytes.count <= Self.mostHead else { return nil }
        }
        guard let headEnd, let head = String(data: bytes[..<headEnd.lowerBound], encoding: .utf8) else { return nil }
        var lines = head.components(separatedBy: "\r\n")
        let first = lines.removeFirst().split(separator: " ")
        guard first.count == 3, first[2].hasPrefix("HTTP/1."), let url = URLComponents(string: String(first[1])) else {
            return nil
        }
        headers = lines.reduce(into: [:]) { headers, line in
            guard let colon = line.firstIndex(of: ":") else { return }
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
                in: .whitespaces)
        }
        guard let count = Int(headers["content-length"] ?? "0"), (0...Self.mostBody).contains(count) else { return nil }
        while bytes.count - headEnd.upperBound < count {
            let piece = more()
            guard !piece.isEmpty else { return nil }
            bytes.append(piece)
        }
        method = String(first[0])
        path = url.percentEncodedPath.split(separator: "/").map { $0.removingPercentEncoding ?? "" }
        query = (url.queryItems ?? []).reduce(into: [:]) { $0[$1.name] = $1.value ?? "" }
        body = Data(bytes[headEnd.upperBound..<headEnd.upperBound + count])
    }
}
