import Foundation
import MediaToolKit
import ProgramKit

extension MediaProbe {
    private static let limits = ProgramLimits(seconds: 20, processorSeconds: 20, memory: 2 << 30, output: 64 << 20)

    /// Asks `ffprobe` of a file.
    ///
    /// - Throws: `ProgramFailure`; ``MediaLibraryError`` for a file that is no sound and no film.
    init(reading path: String) throws {
        guard let probe = MediaProbe(try MediaTool.ffprobe.run(MediaProbe.arguments(path), limits: Self.limits)) else {
            throw MediaLibraryError(
                .itemUnavailable, "The file is no sound and no film that 'ffprobe' reads",
                hint: "check the file with another player")
        }
        self = probe
    }

    /// Seconds: the stated length, or what the packets say where there is none.
    func duration(of path: String) throws -> Double? {
        if let statedDuration { return statedDuration }
        return Self.length(
            ofPackets: try MediaTool.ffprobe.run(Self.packetArguments(path, stream: mainStream), limits: Self.limits))
    }

    /// The facts of a file whose tags `exiftool` does not read.
    func facts() -> MediaFacts {
        let tags = tags
        var facts = MediaFacts()
        facts.title = tags["title"]
        facts.artists = tags["artist"].map { [$0] } ?? []
        facts.albumTitle = tags["album"]
        facts.albumArtist = tags["album_artist"] ?? tags["albumartist"]
        facts.composers = tags["composer"].map { [$0] } ?? []
        facts.genres = tags["genre"].map { [$0] } ?? []
        facts.comments = tags["comment"] ?? tags["description"]
        facts.lyrics = tags["lyrics"]
        let (track, disc) = (TagText.pair(tags["track"] ?? tags["part_number"]), TagText.pair(tags["disc"]))
        (facts.trackNumber, facts.trackCount) = (track.number, track.count)
        (facts.discNumber, facts.discCount) = (disc.number, disc.count)
        facts.beatsPerMinute = TagText.number(tags["bpm"] ?? tags["tbpm"])
        facts.isCompilation = TagText.isTrue(tags["compilation"])
        facts.releaseDate = TagText.date(tags["date"] ?? tags["date_released"])
        return facts
    }
}
