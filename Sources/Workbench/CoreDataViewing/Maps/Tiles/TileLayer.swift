import CoreDataWorkbench
import UniformTypeIdentifiers

/// What a file of tiles says of itself, as far as it can be believed.
package struct TileLayer: Sendable, Equatable {
    /// The forms of pictures that browsers show.
    package enum Format: String, Sendable {
        case png, jpeg, webp

        package var mediaType: String { "image/\(rawValue)" }

        /// The form of a picture by its first bytes.
        init?(_ bytes: some Collection<UInt8>) {
            switch UTType(recognizing: Data(bytes.prefix(UTType.recognizedPrefixLength))) {
            case .png?: self = .png
            case .jpeg?: self = .jpeg
            case .webP?: self = .webp
            default: return nil
            }
        }
    }

    package let name: String
    /// Whose data the tiles show, as text without markup; empty if the file does not say.
    package let attribution: String
    package let format: Format
    package let zooms: ClosedRange<Int>
    /// West, south, east and north, in degrees; nil for the whole world.
    package let bounds: [Double]?

    package var json: JSONValue {
        .object([
            ("name", .string(name)), ("attribution", .string(attribution)), ("type", .string(format.mediaType)),
            ("minZoom", .count(zooms.lowerBound)), ("maxZoom", .count(zooms.upperBound)),
            ("bounds", bounds.map { .array($0.map { .real($0) }) } ?? .null),
        ])
    }
}
