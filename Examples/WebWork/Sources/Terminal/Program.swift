import Foundation
import LoopbackService

/// Loads an image or a text in the three ways.
@main
struct Program {
    static func main() async {
        do {
            let words = Array(CommandLine.arguments.dropFirst())
            if words == ["demo"] { return try await demo() }
            guard words.count == 2, let kind = Kind(rawValue: words[0]), let url = URL(string: words[1]) else {
                throw Usage()
            }
            try await show(kind, url)
        } catch {
            FileHandle.standardError.write(Data("webwork: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func demo() async throws {
        let server = try HTTPServer(answer: WebService.answer)
        defer { server.stop() }
        try await show(.text, server.url("/text.txt"))
        try await show(.image, server.url("/image.png"))
        try await show(.text, server.url("/missing.txt"))
    }

    @MainActor private static func show(_ kind: Kind, _ url: URL) async throws {
        let page = WebPage()
        for way in Way.allCases {
            try await page.load(kind, at: url, way)
            switch page.content {
            case .image(let data): print("\(way): an image of \(data.count) bytes")
            case .text(let text): print("\(way): \(text.trimmingCharacters(in: .newlines))")
            case .message(let message): print("\(way): \(message)")
            case nil: break
            }
        }
        await page.waitUntilClear()
        print("cleared")
    }

    private struct Usage: Error, CustomStringConvertible {
        let description = "usage: webwork demo | image URL | text URL"
    }
}
