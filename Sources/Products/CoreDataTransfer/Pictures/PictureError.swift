import Foundation

/// Why bytes that came are not taken for a picture.
public struct PictureError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
    /// The kinds of failures.
    public enum Code: Sendable, Equatable {
        /// The bytes do not begin as one of ``PictureFormat`` does, or the size in pixels is not in them.
        case unknownFormat
        /// The picture has more pixels than are allowed: width and height.
        case tooManyPixels(Int, Int)
    }

    /// The kind of failure.
    public let code: Code
    /// Where the bytes are from; nil for those that were not loaded.
    public let url: URL?

    /// Makes an error.
    public init(code: Code, url: URL?) { (self.code, self.url) = (code, url) }

    public var description: String {
        let place = url.map { " (URL: \($0.textWithoutPassword))" } ?? ""
        return switch code {
        case .unknownFormat: "the bytes are no picture in PNG, JPEG, GIF, WebP or AVIF\(place)"
        case .tooManyPixels(let width, let height):
            "the picture has \(width) × \(height) pixels, which is more than is allowed\(place)"
        }
    }
    public var errorDescription: String? { description }
}
