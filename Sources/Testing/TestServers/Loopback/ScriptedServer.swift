import Foundation
import Glibc
import LockKit

/// An HTTP server on the loopback address whose responses a test writes byte by byte, so that they may be as wrong as those
/// of real servers are; or takes from a script (`init(script:)`).
///
/// Each connection has a thread; the requests of one come one after the other. The server ends with the last reference.
public final class ScriptedServer: Sendable {
    /// A request as it came.
    public struct Request: Sendable {
        /// The method, such as `GET`.
        public var method: String
        /// What stands behind the method: a path with its query, usually.
        public var target: String
        /// The header fields, in order.
        public var fields: [(name: String, value: String)]
        /// The body, put together if it came in chunks.
        public var body: Data

        /// The value of the first field of a name, whatever its case.
        public func field(_ name: String) -> String? {
            fields.first { $0.name.lowercased() == name.lowercased() }?.value
        }

        /// The target without its query.
        public var path: String { String(target.prefix { $0 != "?" }) }
    }

    private struct State {
        var requests: [Request] = []
        var connections = 0
        var open = 0
        var greatestOpen = 0
        var atWork = 0
        var greatestAtWork = 0
        var sockets: Set<Int32> = []
        var isStopped = false
    }

    /// The port, which the system has chosen.
    public let port: Int
    private let listener: Int32
    private let handler: @Sendable (Request, Reply) throws -> Void
    private let state = Locked(State())

    /// Listens on a free port; the handler answers each request, on the thread of its connection. What it throws closes the connection.
    ///
    /// - Throws: an error that says so if there is no port.
    public init(_ handler: @escaping @Sendable (Request, Reply) throws -> Void) throws {
        self.handler = handler
        (listener, port) = try Self.listen()
        let thread = Thread { [accepted = WeakServer(self), listener] in Self.accept(listener, accepted) }
        thread.name = "ScriptedServer"
        thread.start()
    }

    /// A socket that listens on a free port, and the port.
    static func listen() throws -> (listener: Int32, port: Int) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && Glibc.listen(listener, 128) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else {
            close(listener)
            throw LoopbackConnection.failure("no port to listen on")
        }
        return (listener, Int(in_port_t(bigEndian: address.sin_port)))
    }

    deinit { stop() }

    /// The URL of a path on the server.
    public func url(_ path: String) -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { preconditionFailure("no path: \(path)") }
        return url
    }

    /// The requests so far, in the order in which they were complete.
    public var requests: [Request] { state.withLock { $0.requests } }
    /// The number of connections that were made so far.
    public var connectionCount: Int { state.withLock { $0.connections } }
    /// The number of connections that are open.
    public var openConnectionCount: Int { state.withLock { $0.open } }
    /// The most requests that were being answered at a time.
    public var greatestAtWork: Int { state.withLock { $0.greatestAtWork } }

    /// Closes all connections and takes no more.
    public func stop() {
        // A connection's thread takes its socket out of the set before it closes it. The listening thread closes the listener, whose
        // number another server may have at once.
        state.withLock { state in
            if !state.isStopped { shutdown(listener, Int32(SHUT_RDWR)) }
            state.isStopped = true
            for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    private static func accept(_ listener: Int32, _ accepted: WeakServer) {
        defer { close(listener) }
        while true {
            let socket = Glibc.accept(listener, nil, nil)
            if socket < 0, errno == EINTR || errno == ECONNABORTED { continue }
            guard socket >= 0 else { return }
            guard let server = accepted.server, server.begin(socket) else {
                close(socket)
                return
            }
            Thread { server.serve(socket) }.start()
        }
    }

    private func begin(_ socket: Int32) -> Bool {
        state.withLock { state in
            guard !state.isStopped else { return false }
            state.connections += 1
            state.open += 1
            state.greatestOpen = max(state.greatestOpen, state.open)
            state.sockets.insert(socket)
            return true
        }
    }

    private func serve(_ socket: Int32) {
        let reader = RequestReader(socket)
        let reply = Reply(socket)
        while let request = reader.next() {
            state.withLock { state in
                state.requests.append(request)
                state.atWork += 1
                state.greatestAtWork = max(state.greatestAtWork, state.atWork)
            }
            let isAnswered = (try? handler(request, reply)) != nil
            state.withLock { $0.atWork -= 1 }
            guard isAnswered, !reply.isClosed else { break }
        }
        state.withLock { state in
            state.open -= 1
            state.sockets.remove(socket)
        }
        close(socket)
    }
}

/// The server that a listening thread serves, as long as a test has it.
private final class WeakServer: Sendable {
    weak let server: ScriptedServer?

    init(_ server: ScriptedServer) { self.server = server }
}

extension ScriptedServer {
    /// Writes to the client of a request.
    public final class Reply {
        fileprivate let socket: Int32
        fileprivate private(set) var isClosed = false

        fileprivate init(_ socket: Int32) { self.socket = socket }

        /// Sends bytes as they are.
        public func send(_ bytes: Data) throws {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard count > 0 else { throw LoopbackConnection.failure("the client has closed the connection") }
                rest = rest.dropFirst(count)
            }
        }

        /// Sends a text as it is.
        public func send(_ text: String) throws { try send(Data(text.utf8)) }

        /// Sends a whole response with a length, after which the connection stays.
        public func respond(_ status: Int = 200, _ fields: [String] = [], body: Data = Data()) throws {
            let lines = ["HTTP/1.1 \(status) Status"] + fields + ["Content-Length: \(body.count)"]
            try send(Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
        }

        /// Sends a whole response with a text, as the other function of this name.
        public func respond(_ status: Int = 200, _ fields: [String] = [], text: String) throws {
            try respond(status, fields, body: Data(text.utf8))
        }

        /// Ends the connection after the handler.
        public func close() { isClosed = true }

        /// Waits until the client closes the connection, at most so many seconds; whether it did.
        public func clientCloses(within seconds: Double) -> Bool {
            let end = Date().addingTimeInterval(seconds)
            while Date() < end {
                var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
                poll(&watched, 1, 20)
                var byte: UInt8 = 0
                let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
                if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { return true }
            }
            return false
        }
    }

    /// Reads requests from a connection.
    private final class RequestReader {
        /// The greatest sizes of a header and of a body, or of a part of one, in bytes.
        private static let (greatestHeader, greatestBody) = (1 << 20, 1 << 30)
        private let socket: Int32
        private var received = Data()

        init(_ socket: Int32) { self.socket = socket }

        /// The next request, with its body; nil when the client has closed the connection.
        func next() -> Request? {
            while true {
                if let blank = received.range(of: Data("\r\n\r\n".utf8)) {
                    let lines = String(decoding: received[..<blank.lowerBound], as: UTF8.self)
                        .components(separatedBy: "\r\n")
                    received = Data(received[blank.upperBound...])
                    return request(lines)
                }
                guard received.count <= Self.greatestHeader, more() else { return nil }
            }
        }

        private func request(_ lines: [String]) -> Request? {
            let words = lines[0].split(separator: " ").map(String.init)
            guard words.count == 3 else { return nil }
            let fields = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
                guard let colon = line.firstIndex(of: ":") else { return nil }
                let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                return (String(line[..<colon]), value)
            }
            var request = Request(method: words[0], target: words[1], fields: fields, body: Data())
            if request.field("Transfer-Encoding")?.lowercased() == "chunked" {
                guard let body = chunked() else { return nil }
                request.body = body
            } else if let length = request.field("Content-Length").flatMap({ Int($0) }) {
                guard let body = take(length) else { return nil }
                request.body = body
            }
            return request
        }

        private func take(_ count: Int) -> Data? {
            guard 0...Self.greatestBody ~= count else { return nil }
            while received.count < count { guard more() else { return nil } }
            defer { received = Data(received.dropFirst(count)) }
            return Data(received.prefix(count))
        }

        private func line() -> String? {
            while true {
                if let end = received.range(of: Data("\r\n".utf8)) {
                    defer { received = Data(received[end.upperBound...]) }
                    return String(decoding: received[..<end.lowerBound], as: UTF8.self)
                }
                guard more() else { return nil }
            }
        }

        private func chunked() -> Data? {
            var body = Data()
            while let size = line().flatMap({ Int($0, radix: 16) }) {
                guard let part = take(size), take(2) != nil else { return nil }
                if size == 0 { return body }
                body.append(part)
            }
            return nil
        }

        private func more() -> Bool {
            var part = [UInt8](repeating: 0, count: 65_536)
            let count = recv(socket, &part, part.count, 0)
            guard count > 0 else { return false }
            received.append(contentsOf: part[..<count])
            return true
        }
    }
}
