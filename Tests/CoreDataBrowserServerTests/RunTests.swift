import CoreDataBrowserServer
import Synchronization
import TestBasics
import Testing

/// How a server ends that runs until something happens.
@Suite(.timeLimit(.minutes(2))) struct RunTests {
    /// A server that runs until it is told to end.
    private struct Running {
        let test: TestServer
        let task: Task<Void, Never>
        private let end: AsyncStream<Void>.Continuation

        init(finishingWithin limit: Duration = .seconds(30)) async throws {
            test = try TestServer()
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            self.end = end
            let server = test.server
            let announced = Announced()
            task = Task {
                await server.run(
                    until: { for await _ in ends {} }, finishingWithin: limit, announcing: { announced.link = $0 })
            }
            await eventually("the address") { announced.link?.hasPrefix(server.address + "?code=") == true }
        }

        func finish() { end.finish() }
    }

    private final class Announced: Sendable {
        private let text = Mutex<String?>(nil)
        var link: String? {
            get { text.withLock(\.self) }
            set { text.withLock { $0 = newValue } }
        }
    }

    /// A client that has sent half of a request, and the other half.
    private static func halfRequest(_ test: TestServer) async throws -> (client: SocketClient, rest: String) {
        let body = "{\"code\": \"none\", \"fill\": \"" + String(repeating: "x", count: 1_000) + "\"}"
        let client = try SocketClient(test.server.port)
        await client.send(
            test.head(
                "POST /session", "Content-Type: application/json", "Content-Length: \(body.utf8.count)",
                "Connection: close") + "\r\n" + body.prefix(100))
        let hasBegun = try await test.settle(at: 1)
        #expect(hasBegun)
        return (client, String(body.dropFirst(100)))
    }

    @Test("when the condition holds, new clients are refused, the open request is answered, and the port is free")
    func conditionEndsTheServer() async throws {
        let running = try await Running()
        let server = running.test.server
        let (client, rest) = try await Self.halfRequest(running.test)
        running.finish()
        await eventually("no further client") { (try? SocketClient(server.port)) == nil }
        #expect(server.requests == 1)
        await client.send(rest)
        let answer = await client.rest()
        #expect(answer.hasPrefix("HTTP/1.1 4") && answer.contains("usedCode"), "\(answer)")
        await running.task.value
        #expect(server.requests == 0)
        let next = try BrowserServer(Browser(), port: server.port)
        #expect(next.port == server.port)
        next.stop()
    }

    @Test("a request that does not end is given up when its time is over")
    func endlessRequestIsGivenUp() async throws {
        let running = try await Running(finishingWithin: .milliseconds(200))
        let (client, _) = try await Self.halfRequest(running.test)
        let start = ContinuousClock.now
        running.finish()
        await running.task.value
        #expect(.now - start >= .milliseconds(200) && .now - start < .seconds(10))
        let answer = await client.rest()
        #expect(answer.isEmpty)
    }

    @Test("a stop from elsewhere, and a task that is cancelled, end the run", arguments: [true, false])
    func stopEndsTheRun(isCancelled: Bool) async throws {
        let running = try await Running()
        if isCancelled { running.task.cancel() } else { running.test.server.stop() }
        await running.task.value
        let port = running.test.server.port
        await eventually("no further client") { (try? SocketClient(port)) == nil }
    }

    @Test("signals end the run rather than the process", arguments: [SIGINT, SIGTERM])
    func signalEndsTheRun(signal: Int32) async {
        let outcome = await #expect(processExitsWith: .exitCode(7)) { [signal] in
            let server = try BrowserServer(Browser())
            await server.run(
                until: { try? await Task.sleep(for: .seconds(60)) }, announcing: { _ in kill(getpid(), signal) })
            exit(server.requests == 0 ? 7 : 8)
        }
        #expect(outcome != nil)
    }
}
