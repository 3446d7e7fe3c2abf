import Foundation

/// What the header of an MP4 or QuickTime file says of its tracks, where `exiftool` reads as much as `ffprobe` does.
///
/// Left to `ffprobe`, by nil, are films in fragments, those with several tracks of pictures, which may be chapters, and those that are turned
/// in another way than by quarters.
/// Source of the format: ISO/IEC 14496-12, sections 8.2.2 (`mvhd`), 8.3.2 (`tkhd`) and 8.5.2 (`stsd`).
struct MovieHeader: Sendable, Equatable {
    /// In seconds, rounded to a millionth, as `ffprobe` does.
    let duration: Double
    /// Pixels as shown; nil of sound alone.
    let size: PixelPair?

    struct PixelPair: Sendable, Equatable {
        let width, height: Int
    }

    private static let forms: Set<String> = ["M4A", "M4B", "M4P", "M4V", "MP4", "MOV"]
    private static let plain = "1 0 0 0 1 0 0 0 1"

    init?(_ tags: FileTags) {
        guard let form = tags.first("FileType"), Self.forms.contains(form), let length = tags.movieLength,
            !tags.tags.contains(where: { $0.name.hasPrefix("MovieFragment") })
        else { return nil }
        let handlers = tags.tags.filter { $0.name == "HandlerType" && $0.group.hasPrefix("Track") }
        let films = handlers.filter { $0.values.contains("Video Track") }
        guard films.count <= 1, films.count == 1 || handlers.contains(where: { $0.values.contains("Audio Track") })
        else { return nil }
        duration = (length * 1_000_000).rounded() / 1_000_000
        guard let track = films.first?.group else {
            size = nil
            return
        }
        guard tags.value("QuickTime", "MatrixStructure") == Self.plain,
            let isTurned = tags.value(track, "MatrixStructure").flatMap(Self.isTurned),
            let width = tags.pixels(track, "SourceImageWidth"), let height = tags.pixels(track, "SourceImageHeight")
        else { return nil }
        size = isTurned ? PixelPair(width: height, height: width) : PixelPair(width: width, height: height)
    }

    /// Whether a matrix turns by a quarter; nil if it does anything but turn by quarters and scale.
    private static func isTurned(_ matrix: String) -> Bool? {
        let numbers = matrix.split(separator: " ").map { Double($0) ?? .nan }
        guard numbers.count == 9, numbers[2] == 0, numbers[5] == 0 else { return nil }
        let (across, down) = ([numbers[0], numbers[4]], [numbers[1], numbers[3]])
        if down == [0, 0], across.allSatisfy({ $0 != 0 && $0.isFinite }) { return false }
        return across == [0, 0] && down.allSatisfy { $0 != 0 && $0.isFinite } ? true : nil
    }
}

extension FileTags {
    /// The seconds of the movie's header; nil if it says none.
    var movieLength: Double? {
        // The other one is a text for people, rounded.
        let numbers = tags.filter { $0.group == "QuickTime" && $0.name == "Duration" }.flatMap(\.values)
        return numbers.lazy.compactMap(Double.init).first.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    }

    /// A number of pixels that a track says once.
    fileprivate func pixels(_ track: String, _ name: String) -> Int? {
        let values = tags.filter { $0.group == track && $0.name == name }.flatMap(\.values)
        return values.count == 1 ? values.first.flatMap(Int.init).flatMap { (1...65_535).contains($0) ? $0 : nil } : nil
    }
}

extension MediaFacts {
    /// Notes that the file has pictures that move.
    mutating func setFilm(_ size: MovieHeader.PixelPair?) {
        if type.isEmpty || type.isDisjoint(with: .anyVideo) { type = type == .podcast ? .videoPodcast : .movie }
        (width, height) = (size?.width, size?.height)
    }
}
