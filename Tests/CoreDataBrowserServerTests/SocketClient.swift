import CoreDataBrowserServer
import Dispatch
import HTTPServerKit
import TestBasics
import TestServers

/// A client that sends what it is told to and reads what comes, byte by byte as a test wants.
final class SocketClient: Sendable {
    let descriptor: Int32

    /// - Parameters:
    ///   - receiveBuffer: the bytes that the system keeps for a reader that does not read; nil for its usual number.
    ///   - own: the last byte of the own address, 127.0.0.x; nil for the usual one.
    init(_ port: Int, receiveBuffer: Int32? = nil, from own: UInt8? = nil) throws {
        descriptor = try LoopbackSocket.connect(port: port, patience: 5, receiveBuffer: receiveBuffer, from: own)
    }

    deinit { close(descriptor) }

    /// Sends bytes; false where the server no longer takes them.
    @discardableResult
    func send(_ bytes: [UInt8]) async -> Bool {
        await waiting { [descriptor] in
            var done = 0
            while done < bytes.count {
                let count = bytes[done...].withUnsafeBytes {
                    Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
    }

    @discardableResult
    func send(_ text: String) async -> Bool { await send(Array(text.utf8)) }

    /// The next bytes; empty at the end, and where nothing comes for long.
    func receive(_ limit: Int = 1 << 16) async -> [UInt8] {
        await waiting { [descriptor] in
            var bytes = [UInt8](repeating: 0, count: limit)
            let count = recv(descriptor, &bytes, limit, 0)
            return Array(bytes.prefix(max(count, 0)))
        }
    }

    /// Reads until a text has come, or the end; gives all that was read.
    func receive(until text: String) async -> String {
        var all: [UInt8] = []
        while !String(decoding: all, as: UTF8.self).contains(text) {
            let piece = await receive()
            guard !piece.isEmpty else { break }
            all += piece
        }
        return String(decoding: all, as: UTF8.self)
    }

    /// Everything up to the end of the connection.
    func rest() async -> String {
        var all: [UInt8] = []
        while case let piece = await receive(), !piece.isEmpty { all += piece }
        return String(decoding: all, as: UTF8.self)
    }

    /// Runs what may block on a thread that no task needs, since the server's tasks have to go on meanwhile.
    private func waiting<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: body()) }
        }
    }
}

/// A server for tests, with requests in text.
struct TestServer {
    let browser: Browser
    let server: BrowserServer
    static let token = "a-token-of-sixteen"

    init(limits: ServerLimits = ServerLimits(), _ change: (inout BrowserOptions) -> Void = { _ in }) throws {
        var options = BrowserOptions()
        options.token = Self.token
        change(&options)
        browser = Browser(options: options)
        server = try BrowserServer(browser, port: 0, limits: limits)
    }

    /// The first lines of a request with the token, without the empty line.
    func head(_ line: String, _ fields: String...) -> String {
        ([line + " HTTP/1.1", "Host: 127.0.0.1:\(server.port)", "Authorization: Bearer \(Self.token)"] + fields)
            .map { $0 + "\r\n" }.joined()
    }

    /// The whole answer to a request that ends its connection.
    func ask(
        _ line: String, _ fields: String..., body: String = "", from own: UInt8? = nil
    ) async throws -> String {
        let client = try SocketClient(server.port, from: own)
        await client.send(head(line, "Connection: close") + fields.map { $0 + "\r\n" }.joined() + "\r\n" + body)
        return await client.rest()
    }

    /// Waits until all requests but some are over; false where that takes long.
    func settle(at count: Int = 0) async throws -> Bool {
        for _ in 0..<1000 {
            if server.requests == count { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }
}
