import Foundation
import FoundationNetworking
import TestServers
import Testing

@testable import CoreDataTransfer

@Suite struct ResponseTests {
    let session = TransferSession()

    @Test("chunks come in their order and end once (WEB-04)")
    func chunksInOrder() async throws {
        let body = Data.pattern(3_000_000)
        let server = try ScriptedServer { _, reply in
            try reply.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            var rest = body[...]
            while !rest.isEmpty {
                let part = rest.prefix(70_001)
                try reply.send("\(String(part.count, radix: 16));name=\"a;b\"\r\n")
                try reply.send(Data(part) + Data("\r\n".utf8))
                rest = rest.dropFirst(part.count)
            }
            try reply.send("0\r\nX-Trailer: 1\r\n\r\n")
        }
        defer { server.stop() }
        let (chunks, response) = try await session.chunks(for: URLRequest(url: server.url("/")))
        #expect(response.statusCode == 200)
        var received = Data()
        for try await chunk in chunks { received.append(chunk) }
        #expect(received == body)
        #expect(session.activeTransferCount == 0)
    }

    @Test("the response is there before its body (WEB-04)")
    func responseBeforeBody() async throws {
        let arrived = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { _, reply in
            try reply.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
            _ = arrived.wait(timeout: .now() + 60)
            try reply.send("hello")
        }
        defer { server.stop() }
        let (chunks, _) = try await session.chunks(for: URLRequest(url: server.url("/")))
        arrived.signal()
        var received = Data()
        for try await chunk in chunks { received.append(chunk) }
        #expect(received == Data("hello".utf8))
    }

    @Test("chunks that no task reads are not taken from the network (WEB-04)")
    func backPressure() async throws {
        let sent = Collected<Int>()
        let server = try ScriptedServer { _, reply in
            try reply.send("HTTP/1.1 200 OK\r\nContent-Length: 200000000\r\n\r\n")
            let part = Data(count: 100_000)
            for number in 0..<2_000 {
                try reply.send(part)
                sent.append(number)
            }
        }
        defer { server.stop() }
        do {
            let (chunks, _) = try await session.chunks(for: URLRequest(url: server.url("/")))
            let iterator = chunks.makeAsyncIterator()
            _ = try await iterator.next()
            // Until the sockets' buffers are full, and the server has stood still.
            var last = -1
            while sent.values.count != last {
                last = sent.values.count
                try await Task.sleep(for: .milliseconds(300))
            }
            #expect(last < 1_000)
            for _ in 0..<2_000 { _ = try await iterator.next() }
            #expect(sent.values.count > last)
        }
        // The sequence is gone, and the transfer with it.
        while session.activeTransferCount > 0 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(sent.values.count < 2_000)
    }

    @Test("chunks that were taken are not kept, however long the sequence is (WEB-04)")
    func takenChunks() async throws {
        let receiver = ChunkReceiver()
        let bytes = [UInt8](repeating: 1, count: 16_384)
        for _ in 0..<4 { _ = try bytes.withUnsafeBytes { try receiver.write($0) } }
        var greatest = 0
        for _ in 0..<2_000 {
            _ = try bytes.withUnsafeBytes { try receiver.write($0) }
            #expect(try await receiver.next()?.count == bytes.count)
            greatest = max(greatest, receiver.storedChunkCount)
        }
        #expect(greatest < 100)
    }

    @Test(
        "an endless body of a redirect, or of an error, is not read (WEB-05)",
        arguments: ["/redirect", "/error", "/challenge"])
    func endlessBody(path: String) async throws {
        let server = try ScriptedServer { request, reply in
            switch request.path {
            case "/redirect": try reply.send("HTTP/1.1 302 Found\r\nLocation: /here\r\n")
            case "/error": try reply.send("HTTP/1.1 500 Wrong\r\n")
            case "/challenge": try reply.send("HTTP/1.1 401 Who\r\nWWW-Authenticate: Basic realm=\"a\"\r\n")
            default: return try reply.respond(text: "here")
            }
            try reply.send("Content-Length: 1000000000000\r\n\r\n")
            while true { try reply.send(Data(count: 100_000)) }
        }
        defer { server.stop() }
        var options = TransferOptions()
        options.credential = TransferCredential(user: "a", password: "b")
        let chosen = options
        let request = URLRequest(url: server.url(path))
        switch path {
        case "/redirect": #expect(try await session.data(for: request, options: options).0 == Data("here".utf8))
        case "/error":
            let error = await transferError { _ = try await session.data(for: request, options: chosen) }
            #expect(error?.code == .status(500) && error?.body.count == 4_096)
        default:
            let code = await transferCode { _ = try await session.data(for: request, options: chosen) }
            #expect(code == .invalidResponse || code == .connectionLost)
        }
    }

    @Test("20 requests at once keep their own data, 3 at a time (WEB-04, WEB-10)")
    func ownData() async throws {
        let server = try ScriptedServer { request, reply in
            usleep(5_000)
            try reply.respond(body: Data(repeating: UInt8(request.path.dropFirst()) ?? 0, count: 50_000))
        }
        defer { server.stop() }
        let results = try await withThrowingTaskGroup(of: (Int, Data).self) { group in
            for number in 0..<20 {
                group.addTask { [session] in
                    (number, try await session.data(for: URLRequest(url: server.url("/\(number)"))).0)
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for number in 0..<20 { #expect(results[number] == Data(repeating: UInt8(number), count: 50_000)) }
        #expect(server.greatestAtWork <= 3)
        #expect(server.connectionCount <= 3)
    }

    @Test("a cancelled transfer closes its connection at once (WEB-04)")
    func cancellation() async throws {
        let closed = Collected<Bool>()
        let begun = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { _, reply in
            try reply.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")
            begun.signal()
            closed.append(reply.clientCloses(within: 30))
        }
        defer { server.stop() }
        let task = Task { [session] in try await session.data(for: URLRequest(url: server.url("/"))) }
        await Task.detached { begun.wait() }.value
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        while closed.values.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        #expect(closed.values == [true])
    }

    @Test("a task that is cancelled before it begins sends nothing (WEB-04)")
    func cancelledBefore() async throws {
        let server = try ScriptedServer { _, reply in try reply.respond() }
        defer { server.stop() }
        let task = Task { [session] in
            while !Task.isCancelled { await Task.yield() }
            return try await session.data(for: URLRequest(url: server.url("/")))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.requests.isEmpty)
    }

    @Test("statuses other than 200 to 299 are errors with URL, response and body (WEB-05)", arguments: [404, 418, 500])
    func statusIsAnError(status: Int) async throws {
        let server = try ScriptedServer { _, reply in try reply.respond(status, text: "what went wrong") }
        defer { server.stop() }
        let url = server.url("/missing")
        let error = try #require(await transferError { _ = try await session.data(for: URLRequest(url: url)) })
        #expect(error.code == .status(status))
        #expect(error.url == url)
        #expect(error.response?.statusCode == status)
        #expect(error.body == Data("what went wrong".utf8))
        #expect("\(error)".contains("\(status)") && "\(error)".contains(url.absoluteString))
        var options = TransferOptions()
        options.accepts = .all
        let (data, response) = try await session.data(for: URLRequest(url: url), options: options)
        #expect(response.statusCode == status && data == Data("what went wrong".utf8))
    }

    @Test("a page where a picture was asked for is an error (WEB-05)")
    func otherContentIsAnError() async throws {
        let server = try ScriptedServer { request, reply in
            let type = request.path == "/a.png" ? "image/png" : "text/html; charset=utf-8"
            try reply.respond(200, ["Content-Type: \(type)"], text: "<html>")
        }
        defer { server.stop() }
        var options = TransferOptions()
        options.accepts = .images
        _ = try await session.data(for: URLRequest(url: server.url("/a.png")), options: options)
        let code = await transferCode {
            _ = try await session.data(for: URLRequest(url: server.url("/b.png")), options: options)
        }
        #expect(code == .contentType("text/html; charset=utf-8"))
    }

    @Test("a refused connection, an unknown host and a lost connection differ (WEB-05)")
    func connectionErrors() async throws {
        let server = try ScriptedServer { request, reply in
            if request.path == "/half" { try reply.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc") }
            if request.path == "/chunk" {
                try reply.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc")
            }
            if request.path == "/text" { try reply.send("hello\r\n\r\n") }
            if request.path == "/gzip" { try reply.respond(200, ["Content-Encoding: gzip"], text: "no gzip") }
            if request.path == "/fields" {
                try reply.send("HTTP/1.1 200 OK\r\n")
                for number in 0..<10_000 { try reply.send("X-\(number): \(String(repeating: "a", count: 100))\r\n") }
            }
            reply.close()
        }
        let closed = server.port
        func code(_ path: String) async -> TransferError.Code? {
            await transferCode { _ = try await session.data(for: URLRequest(url: server.url(path))) }
        }
        #expect(await code("/none") == .connectionLost)
        #expect(await code("/half") == .incompleteBody)
        #expect([.incompleteBody, .connectionLost].contains(await code("/chunk")))
        #expect(await code("/text") == .invalidResponse)
        #expect(await code("/gzip") == .invalidResponse)
        #expect(await code("/fields") == .invalidResponse)
        server.stop()
        let refused = try #require(URL(string: "http://127.0.0.1:\(closed)/"))
        #expect(await transferCode { _ = try await session.data(for: URLRequest(url: refused)) } == .cannotConnect)
        let unknown = try #require(URL(string: "http://no-such-host.invalid/"))
        #expect(await transferCode { _ = try await session.data(for: URLRequest(url: unknown)) } == .hostNotFound)
    }

    @Test(
        "a body beyond the limit is refused, chunked or compressed (WEB-05)",
        arguments: ["/plain", "/chunked", "/bomb"])
    func limitOfBody(path: String) async throws {
        let server = try ScriptedServer { request, reply in
            switch request.path {
            case "/plain": try reply.respond(body: Data(count: 2_000_000))
            case "/chunked":
                try reply.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                while true { try reply.send("186a0\r\n" + String(repeating: "a", count: 100_000) + "\r\n") }
            default: try reply.respond(200, ["Content-Encoding: gzip"], body: Self.bomb)
            }
        }
        defer { server.stop() }
        var options = TransferOptions()
        options.maximumBodySize = 1_000_000
        let limited = options
        let error = try #require(
            await transferError { _ = try await session.data(for: URLRequest(url: server.url(path)), options: limited) }
        )
        #expect(error.code == .bodyTooLarge)
        #expect(error.url == server.url(path))
        let code = await transferCode {
            let (chunks, _) = try await session.chunks(for: URLRequest(url: server.url(path)), options: limited)
            for try await _ in chunks {}
        }
        #expect(code == .bodyTooLarge)
    }

    /// Ten million zeros, by gzip.
    private static let bomb: Data = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "head -c 10000000 /dev/zero | gzip -c"]
        let output = Pipe()
        process.standardOutput = output
        try? process.run()
        return (try? output.fileHandleForReading.readToEnd()) ?? Data()
    }()

    @Test("a server that stands still, and one that sends a byte now and then, run into limits (WEB-05)")
    func timeouts() async throws {
        let server = try ScriptedServer { request, reply in
            try reply.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            while !reply.clientCloses(within: 0.2) {
                if request.path == "/slow" { try reply.send("a") }
            }
        }
        defer { server.stop() }
        var request = URLRequest(url: server.url("/still"))
        request.timeoutInterval = 1
        let still = request
        #expect(await transferCode { _ = try await session.data(for: still) } == .timedOut)
        var configuration = TransferConfiguration()
        configuration.transferTimeout = 1
        let limited = TransferSession(configuration: configuration)
        let slow = URLRequest(url: server.url("/slow"))
        #expect(await transferCode { _ = try await limited.data(for: slow) } == .timedOut)
    }
}
