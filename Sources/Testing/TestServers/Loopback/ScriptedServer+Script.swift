import Foundation
import LockKit

extension ScriptedServer {
    /// A response of a script.
    public struct Response: Sendable {
        fileprivate enum End: Sendable { case whole, cut, none }

        fileprivate var status: Int
        fileprivate var fields: [String]
        fileprivate var body: Data
        fileprivate var delay: TimeInterval = 0
        fileprivate var end = End.whole

        /// A response with a status, header fields such as `ETag: "1"`, and a body.
        public static func status(_ status: Int, _ fields: [String] = [], body: Data = Data()) -> Response {
            Response(status: status, fields: fields, body: body)
        }

        /// A response with JSON.
        public static func json(_ text: String, status: Int = 200) -> Response {
            Response(status: status, fields: ["Content-Type: application/json"], body: Data(text.utf8))
        }

        /// A response with a text.
        public static func text(_ text: String, status: Int = 200) -> Response {
            Response(status: status, fields: ["Content-Type: text/plain; charset=utf-8"], body: Data(text.utf8))
        }

        /// No response: the connection is closed.
        public static let closed: Response = {
            var response = Response(status: 0, fields: [], body: Data())
            response.end = .none
            return response
        }()

        /// The response, after so many seconds.
        public func delayed(_ seconds: TimeInterval) -> Response {
            var response = self
            response.delay = seconds
            return response
        }

        /// The response, cut off in the middle of its body.
        public func cutOff() -> Response {
            var response = self
            response.end = .cut
            return response
        }

        fileprivate func send(to reply: Reply) throws {
            if delay > 0 { Thread.sleep(forTimeInterval: delay) }
            switch end {
            case .whole: try reply.respond(status, fields, body: body)
            case .cut:
                let lines = ["HTTP/1.1 \(status) Status"] + fields + ["Content-Length: \(body.count)"]
                try reply.send(Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body.prefix(body.count / 2))
                reply.close()
            case .none: reply.close()
            }
        }
    }

    /// Listens on a free port and answers by a script: for a method and a path, such as `GET /heroes`, a list of responses,
    /// of which the last one is repeated. What the script does not have is answered by 404.
    ///
    ///     let server = try ScriptedServer(script: ["GET /heroes": [.status(503), .json("[]")]])
    ///     let heroes = try await Heroes(at: server.url("/heroes")).load()
    ///
    /// - Throws: an error that says so if there is no port.
    public convenience init(script: [String: [Response]]) throws {
        let rest = Locked(script)
        try self.init { request, reply in
            let key = "\(request.method) \(request.path)"
            let response = rest.withLock { rest -> Response? in
                guard let responses = rest[key], let first = responses.first else { return nil }
                if responses.count > 1 { rest[key] = Array(responses.dropFirst()) }
                return first
            }
            try (response ?? .text("the script has no \(key)", status: 404)).send(to: reply)
        }
    }
}
