import Foundation
import FoundationNetworking
import TestServers
import Testing

@testable import CoreDataTransfer

@Suite struct QueueTests {
    @Test("of 100 requests three are at work at a time, and one of high priority overtakes those that wait (WEB-10)")
    func limitAndPriority() async throws {
        let activity = Collected<Bool>()
        var configuration = TransferConfiguration()
        configuration.onActivityChange = { activity.append($0) }
        let session = TransferSession(configuration: configuration)
        let gate = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { request, reply in
            if request.path == "/0" || request.path == "/1" || request.path == "/2" { gate.wait() }
            try reply.respond(text: request.path)
        }
        defer { server.stop() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    var options = TransferOptions()
                    options.priority = number % 2 == 0 ? .normal : .low
                    _ = try await session.data(for: URLRequest(url: server.url("/\(number)")), options: options)
                }
                // One after the other, so that all come in the order of their numbers.
                while session.activeTransferCount <= number { await Task.yield() }
                while number < 3, server.requests.count <= number { await Task.yield() }
            }
            group.addTask {
                var options = TransferOptions()
                options.priority = .high
                _ = try await session.data(for: URLRequest(url: server.url("/high")), options: options)
            }
            while session.activeTransferCount <= 100 { await Task.yield() }
            #expect(activity.values == [true])
            for _ in 0..<3 { gate.signal() }
            try await group.waitForAll()
        }
        #expect(server.greatestAtWork <= 3 && server.connectionCount <= 3)
        // What the server's threads read first is not quite the order in which it was sent.
        let order = server.requests.map(\.path)
        #expect(order.firstIndex(of: "/high").map { $0 < 30 } == true)
        func middle(_ remainder: Int) -> Int {
            let places = (3..<100).filter { $0 % 2 == remainder }.compactMap { order.firstIndex(of: "/\($0)") }
            return places.reduce(0, +) / max(1, places.count)
        }
        #expect(middle(0) + 30 < middle(1))
        while activity.values.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(activity.values == [true, false])
        #expect(session.activeTransferCount == 0)
    }

    @Test("of the hosts with room, the transfer of the highest priority that has waited longest comes next (WEB-10)")
    func orderOfQueue() throws {
        var queue = TransferQueue(greatest: 4, greatestPerHost: 2)
        func append(_ text: String, _ priority: TransferPriority) throws {
            var options = TransferOptions()
            options.priority = priority
            let request = URLRequest(url: try #require(URL(string: text)))
            queue.append(Transfer(request, body: nil, receiver: DataReceiver(limit: nil), options: options))
        }
        for number in 0..<3 { try append("http://a/low\(number)", .low) }
        for number in 0..<3 { try append("http://a/\(number)", .normal) }
        try append("https://a/other-port", .low)
        try append("http://b/low", .low)
        try append("http://a:80/high", .high)
        func next() -> String? { queue.next()?.request.url?.absoluteString }
        #expect(next() == "http://a:80/high")
        #expect(next() == "http://a/0")
        #expect(next() == "https://a/other-port")
        #expect(next() == "http://b/low")
        #expect(next() == nil)
        queue.end("a:443")
        #expect(next() == nil)
        queue.end("a:80")
        #expect(next() == "http://a/1")
        for expected in ["http://a/2", "http://a/low0", "http://a/low1"] {
            queue.end("a:80")
            #expect(next() == expected)
        }
        #expect(queue.removeAll().map { $0.request.url?.absoluteString } == ["http://a/low2"])
        #expect(next() == nil)
    }

    @Test("activity is reported in its order, once for each change (WEB-10)")
    func activityInOrder() async throws {
        let activity = Collected<Bool>()
        var configuration = TransferConfiguration()
        configuration.onActivityChange = { activity.append($0) }
        let session = TransferSession(configuration: configuration)
        let server = try ScriptedServer { _, reply in try reply.respond() }
        defer { server.stop() }
        for _ in 0..<200 { _ = try await session.data(for: URLRequest(url: server.url("/"))) }
        #expect(activity.values == (0..<400).map { $0 % 2 == 0 })
    }

    @Test(
        "limits of time that are not finite, or very large, do not stop a transfer",
        arguments: [Double.nan, .infinity, 1e300, -1])
    func extremeLimits(seconds: Double) async throws {
        var configuration = TransferConfiguration()
        configuration.connectTimeout = max(seconds, 1)
        configuration.transferTimeout = seconds < 0 ? nil : seconds
        let session = TransferSession(configuration: configuration)
        let server = try ScriptedServer { _, reply in try reply.respond() }
        defer { server.stop() }
        var request = URLRequest(url: server.url("/"))
        request.timeoutInterval = seconds
        _ = try await session.data(for: request)
    }

    @Test("a waiting transfer that is cancelled ends at once (WEB-10)")
    func cancelWaiting() async throws {
        var configuration = TransferConfiguration()
        configuration.maximumTransfersPerHost = 1
        let session = TransferSession(configuration: configuration)
        let gate = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { _, reply in
            gate.wait()
            try reply.respond()
        }
        defer { server.stop() }
        let first = Task { try await session.data(for: URLRequest(url: server.url("/1"))) }
        while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
        let second = Task { try await session.data(for: URLRequest(url: server.url("/2"))) }
        while session.activeTransferCount < 2 { try await Task.sleep(for: .milliseconds(2)) }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        gate.signal()
        _ = try await first.value
        gate.signal()
        _ = try await session.data(for: URLRequest(url: server.url("/3")))
        #expect(server.requests.map(\.path) == ["/1", "/3"])
    }

    @Test("a session without transfers uses no processor time")
    func idleSession() async throws {
        let server = try ScriptedServer { _, reply in try reply.respond() }
        defer { server.stop() }
        let session = TransferSession()
        _ = try await session.data(for: URLRequest(url: server.url("/")))
        try await Task.sleep(for: .milliseconds(200))
        let before = session.engine.roundCount
        try await Task.sleep(for: .seconds(1))
        // libcurl closes kept connections at times.
        #expect(session.engine.roundCount - before <= 2)
    }
}
