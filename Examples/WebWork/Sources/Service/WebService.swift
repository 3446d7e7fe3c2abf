import Foundation
import LoopbackService

/// The service: an image, a text, and nothing else.
enum WebService {
    static let text = "The quick brown fox jumps over the lazy dog. – Schöne Grüße!\n"

    /// A PNG of one pixel.
    static let image =
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
        ) ?? Data()

    static func answer(_ request: HTTPRequest) -> HTTPResponse {
        switch request.path {
        case ["image.png"]: .content(image, "image/png")
        case ["text.txt"]: .content(Data(text.utf8), "text/plain; charset=utf-8")
        default: .refusal(404, "There is nothing here.")
        }
    }
}
