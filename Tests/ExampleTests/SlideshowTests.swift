import CoreDataTransfer
import Foundation
import LoopbackService
import Synchronization
import TestBasics
import Testing

@testable import SlideshowSample

/// The example Slideshow: which links are pictures, how long each is shown, and what becomes of broken ones.
@Suite(.timeLimit(.minutes(5))) struct SlideshowTests {
    @Test("links of posts that end in .png, .jpg, .jpeg or .gif are pictures, in their order (SAMPLE-19)")
    func feed() async throws {
        let server = try HTTPServer(answer: SlideService.answer)
        defer { server.stop() }
        let pictures = try await SlideFeed.pictures(at: server.url("/r/pics/.json"))
        #expect(
            pictures.map(\.lastPathComponent) == [
                "one.png", "two.PNG", "broken.jpg", "three.jpeg", "missing.gif", "four.gif",
            ])
        let json = #"{"data":{"children":[{"data":{"url":"http://a.test/x.gifv"}},{"data":{}},{"data":{"url":null}}]}}"#
        #expect(try JSONDecoder().decode(SlideFeed.self, from: Data(json.utf8)).pictures.isEmpty)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(SlideFeed.self, from: Data("{}".utf8)) }
    }

    /// What happened, in order.
    @MainActor private final class Record {
        var events: [String] = []
    }

    @Test("each picture fades in within a second and stays fifteen; broken ones are skipped without a wait (SAMPLE-19)")
    @MainActor func show() async throws {
        let server = try HTTPServer(answer: SlideService.answer)
        defer { server.stop() }
        let record = Record()
        let pictures = try await SlideFeed.pictures(at: server.url("/r/pics/.json"))
        let show = Slideshow(
            pictures, sleep: { time in await MainActor.run { record.events.append("wait \(time)") } },
            show: { picture, fade in record.events.append("\(picture.url.lastPathComponent) fade \(fade)") })
        try await show.run(rounds: 2)
        let round = ["one.png", "two.PNG", "three.jpeg", "four.gif"].flatMap {
            ["\($0) fade \(Duration.seconds(1))", "wait \(Duration.seconds(15))"]
        }
        #expect(record.events == round + round)
    }

    @Test("a show without a picture that can be loaded ends, and a cancelled one too (SAMPLE-19)")
    @MainActor func ends() async throws {
        let server = try HTTPServer(answer: SlideService.answer)
        defer { server.stop() }
        let record = Record()
        let broken = Slideshow(
            [server.url("/broken.jpg"), server.url("/missing.gif")], sleep: { _ in },
            show: { _, _ in record.events.append("shown") })
        try await broken.run()
        #expect(record.events.isEmpty)
        let endless = Slideshow([server.url("/one.png")], show: { _, _ in record.events.append("shown") })
        let run = Task { try await endless.run() }
        while record.events.isEmpty { await Task.yield() }
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(record.events == ["shown"])
    }
}
