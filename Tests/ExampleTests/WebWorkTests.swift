import CoreDataTransfer
import Foundation
import LoopbackService
import TestBasics
import TestServers
import Testing

@testable import WebWorkSample

/// The example WebWork: an image and a text in three ways, and what the page says when nothing comes.
@Suite(.timeLimit(.minutes(5))) struct WebWorkTests {
    private let server: HTTPServer

    init() throws { server = try HTTPServer(answer: WebService.answer) }

    @Test("an image and a text are the same in all three ways (SAMPLE-19)") func equalResults() async throws {
        defer { server.stop() }
        let loader = WebLoader()
        for way in Way.allCases {
            let text = try await loader.load(.text, at: server.url("/text.txt"), way)
            let image = try await loader.load(.image, at: server.url("/image.png"), way)
            #expect(text == .text(WebService.text) && image == .image(WebService.image), "\(way)")
        }
        #expect(Way.allCases.count == 3 && WebService.image.count > 50)
    }

    @Test("a status that is an error is named, in all three ways (SAMPLE-19)", arguments: Way.allCases)
    func statuses(way: Way) async throws {
        defer { server.stop() }
        let content = try await WebLoader().load(.text, at: server.url("/missing"), way)
        #expect(content == .message("Encountered 404 error while loading"))
    }

    @Test("without a server the ways that wait say that it cannot be reached, the other says why (SAMPLE-19)")
    func noServer() async throws {
        let url = server.url("/text.txt")
        server.stop()
        await eventually("the end of the server") { (try? LoopbackConnection(port: Int(server.port))) == nil }
        let loader = WebLoader()
        for way in [Way.contents, .synchronous] {
            #expect(try await loader.load(.text, at: url, way) == .message("Unable to contact server."))
        }
        guard case .message(let message) = try await loader.load(.image, at: url, .asynchronous) else {
            Issue.record("an image came from nowhere")
            return
        }
        #expect(message.hasPrefix("Connection failed! Error - ") && message.hasSuffix(" (URL: \(url.absoluteString))"))
        #expect(message.count > "Connection failed! Error -  (URL: \(url.absoluteString))".count)
    }

    @Test("a text where an image was due is not shown as one (SAMPLE-19)", arguments: Way.allCases)
    func noImage(way: Way) async throws {
        defer { server.stop() }
        guard case .message = try await WebLoader().load(.image, at: server.url("/text.txt"), way) else {
            Issue.record("a text was shown as an image")
            return
        }
    }

    /// Waits that end when the test says so.
    private actor Waits {
        private(set) var times: [Duration] = []
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func sleep(_ time: Duration) async {
            times.append(time)
            await withCheckedContinuation { waiting.append($0) }
        }

        func end() {
            for continuation in waiting { continuation.resume() }
            waiting = []
        }
    }

    @Test("what is shown is cleared after five seconds, what was shown meanwhile after its own (SAMPLE-19)")
    @MainActor func clearing() async throws {
        defer { server.stop() }
        let (first, second) = (Waits(), Waits())
        let waits = Queue([first, second])
        let page = WebPage(sleep: { time in await waits.next().sleep(time) })
        try await page.load(.text, at: server.url("/text.txt"), .asynchronous)
        #expect(page.content == .text(WebService.text))
        while await first.times.isEmpty { await Task.yield() }
        try await page.load(.image, at: server.url("/image.png"), .asynchronous)
        while await second.times.isEmpty { await Task.yield() }
        let times = [await first.times, await second.times]
        #expect(times == [[.seconds(5)], [.seconds(5)]])
        // The first five seconds are over: the image has not been there for five.
        await first.end()
        for _ in 0..<20 { await Task.yield() }
        #expect(page.content == .image(WebService.image))
        await second.end()
        await page.waitUntilClear()
        #expect(page.content == nil)
    }

    /// Hands out waits one after the other.
    private actor Queue {
        private var waits: [Waits]

        init(_ waits: [Waits]) { self.waits = waits }

        func next() -> Waits { waits.removeFirst() }
    }
}
