import CoreDataWorkbench

/// What a file of tiles says of itself, as far as it can be believed.
package struct TileLayer: Sendable, Equatable {
    /// The forms of pictures that browsers show.
    package enum Format: String, Sendable {
        case png, jpeg, webp

        package var mediaType: String { "image/\(rawValue)" }

        /// The form of the first bytes of a picture.
        init?(_ bytes: some Collection<UInt8>) {
            let first = Array(bytes.prefix(12))
            if first.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
                self = .png
            } else if first.starts(with: [0xFF, 0xD8, 0xFF]) {
                self = .jpeg
            } else if first.starts(with: Array("RIFF".utf8)), first.dropFirst(8).elementsEqual("WEBP".utf8) {
                self = .webp
            } else {
                return nil
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
