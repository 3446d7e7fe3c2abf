import CoreDataTransfer
import Foundation
import LoopbackService

/// Shows the pictures of a page of posts; a line of the terminal is the screen.
@main
struct Program {
    static func main() async {
        do {
            let words = Array(CommandLine.arguments.dropFirst())
            switch words.first {
            case "demo" where words.count == 1:
                let server = try HTTPServer(answer: SlideService.answer)
                defer { server.stop() }
                try await run(server.url("/r/pics/.json"), rounds: 1, each: .milliseconds(10))
            case let word? where words.count == 1:
                guard let url = URL(string: word) else { throw Usage() }
                try await run(url)
            default: throw Usage()
            }
        } catch {
            FileHandle.standardError.write(Data("slideshow: \(error)\n".utf8))
            exit(1)
        }
    }

    @MainActor private static func run(_ url: URL, rounds: Int = .max, each time: Duration = Slideshow.time)
        async throws
    {
        let pictures = try await SlideFeed.pictures(at: url)
        print("\(pictures.count) pictures")
        let show = Slideshow(
            pictures, sleep: { _ in try await Task.sleep(for: time) },
            show: { picture, _ in
                print("\(picture.url.lastPathComponent): \(picture.header.width) × \(picture.header.height)")
            })
        try await show.run(rounds: rounds)
    }

    private struct Usage: Error, CustomStringConvertible {
        let description = "usage: slideshow demo | URL, such as that of a page of posts with .json at its end"
    }
}
