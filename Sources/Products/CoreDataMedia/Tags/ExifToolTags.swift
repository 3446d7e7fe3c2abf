import Foundation
import ProgramKit

/// Tags read in bulk by `exiftool`: of all formats for which it keeps what the file says.
///
/// | format | read here |
/// |---|---|
/// | MP3, MP4, WAV, AIFF, ASF | all tags; of several artists in ID3 one joined text, which is not taken apart: `AC/DC` looks the same |
/// | FLAC, Ogg | all tags, with lists |
/// | Matroska and others | nothing: `MediaProbe`|
enum ExifToolTags {
    static let program = HelperProgram("exiftool", package: "libimage-exiftool-perl")

    /// The tags of files by their paths.
    ///
    /// - Parameters:
    ///   - paths: Absolute, without line breaks: those of ``ToolLinks``.
    /// - Throws: `ProgramFailure`.
    static func read(_ paths: [String]) throws -> [String: FileTags] {
        // The names of files come through an argument file, in which a name can be no option, since it is absolute.
        let input = Data((paths.joined(separator: "\n") + "\n").utf8)
        let limits = ProgramLimits(
            seconds: 5 + 0.1 * Double(paths.count), processorSeconds: 5 + paths.count / 10, output: 64 << 20)
        let output = try program.run(
            // All tags of the file: asking for those that are needed takes the program longer. Composite and system tags, which the program
            // makes itself, take a third of its time and are not used. Lengths are asked for as numbers as well.
            [
                "-X", "-a", "-G1", "-m", "-q", "-q", "-e", "-charset", "filename=utf8", "--System:all", "-all",
                "-Duration#",
                "-@", "-",
            ],
            input: input, limits: limits)
        return ExifToolXML.read(output.standardOutput)
    }

    /// What the tags say; nil for a format whose tags `ffprobe` reads.
    static func facts(_ tags: FileTags) -> MediaFacts? {
        guard let form = tags.first("FileType"), readable.contains(form) else { return nil }
        var facts = MediaFacts()
        facts.mimeType = tags.first("MIMEType")
        facts.title = tags.text("Title")
        facts.artists = tags.list("Artist", else: "Author")
        facts.albumTitle = tags.text("Album") ?? tags.text("AlbumTitle") ?? tags.text("Product")
        facts.albumArtist = tags.text("AlbumArtist") ?? tags.text("Albumartist") ?? tags.text("Band")
        facts.composers = tags.list("Composer")
        facts.genres = tags.list("Genre")
        facts.comments = tags.text("Comment") ?? tags.text("Description") ?? tags.userText("comment")
        facts.lyrics = tags.lyrics
        facts.grouping = tags.text("Grouping")
        addNumbers(tags, to: &facts)
        facts.releaseDate = tags.releaseDate
        facts.artworkSize = tags.artworkSize
        facts.duration = duration(tags, form)
        facts.type = type(tags, facts)
        return facts
    }

    /// Formats whose tags are read here.
    private static let readable: Set<String> = [
        "MP3", "M4A", "M4B", "M4P", "M4V", "MP4", "MOV", "FLAC", "OGG", "OPUS", "WAV", "AIFF", "WMA", "WMV", "ASF",
        "APE",
        "MPC", "AAC",
    ]

    /// Formats that have sound alone, so that `ffprobe` need not be asked for their streams.
    static let soundAlone: Set<String> = ["MP3", "FLAC", "OPUS", "WAV", "AIFF", "WMA", "APE", "MPC", "AAC"]

    private static func addNumbers(_ tags: FileTags, to facts: inout MediaFacts) {
        let track = TagText.pair(tags.number("Track") ?? tags.number("TrackNumber"))
        let disc = TagText.pair(tags.text("PartOfSet") ?? tags.text("DiskNumber") ?? tags.text("Discnumber"))
        facts.trackNumber = track.number
        facts.trackCount = track.count ?? TagText.number(tags.text("Tracktotal") ?? tags.text("Totaltracks"))
        facts.discNumber = disc.number
        facts.discCount = disc.count ?? TagText.number(tags.text("Disctotal"))
        facts.beatsPerMinute = TagText.number(
            tags.text("BeatsPerMinute") ?? tags.text("Tbpm") ?? tags.text("Bpm") ?? tags.userText("TBPM"))
        facts.isCompilation = TagText.isTrue(tags.text("Compilation") ?? tags.userText("TCMP"))
    }

    /// Only lengths that the header of a format states exactly.
    private static func duration(_ tags: FileTags, _ form: String) -> Double? {
        switch form {
        case "FLAC":
            guard let samples = tags.first("TotalSamples").flatMap(Double.init), samples > 0,
                let rate = tags.first("SampleRate").flatMap(Double.init), rate > 0
            else { return nil }
            return samples / rate
        case "M4A", "M4B", "M4P": return tags.movieLength
        default: return nil
        }
    }

    /// The type as the tags say it; empty if the streams decide.
    private static func type(_ tags: FileTags, _ facts: MediaFacts) -> MPMediaType {
        let genre = facts.genres.first?.lowercased() ?? ""
        let isPodcast = tags.text("Podcast") != nil && tags.text("Podcast") != "No" || genre == "podcast"
        let isPicture = tags.tags.contains { $0.name == "HandlerType" && $0.values.contains("Video Track") }
        switch tags.value("ItemList", "MediaType") {
        case "Audiobook": return .audioBook
        case "Music Video": return .musicVideo
        case "Movie", "Movie (old)", "Short Film": return isPicture ? .movie : []
        case "TV Show": return isPicture ? .tvShow : []
        case "Podcast": return isPicture ? .videoPodcast : .podcast
        case "iTunes U": return isPicture ? .videoITunesU : .audioITunesU
        default: break
        }
        if isPodcast { return isPicture ? .videoPodcast : .podcast }
        if ["audiobook", "audio book", "audiobooks"].contains(genre) || tags.first("FileType") == "M4B" {
            return .audioBook
        }
        return []
    }
}

extension FileTags {
    /// The first text of a name that is not blank.
    fileprivate func text(_ name: String) -> String? {
        values(name).lazy.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.first { !$0.isEmpty }
    }

    /// As `text`, from the tags of the sound and not from the numbers that tracks of a container have.
    fileprivate func number(_ name: String) -> String? {
        tags.first { $0.name == name && !$0.group.hasPrefix("Track") }?.values.first
    }

    /// The texts of the first group that has the name; repeated tags of one group are a list.
    fileprivate func list(_ name: String, else other: String? = nil) -> [String] {
        guard let group = tags.first(where: { $0.name == name })?.group else {
            return other.map { list($0) } ?? []
        }
        var texts: [String] = []
        for tag in tags where tag.name == name && tag.group == group {
            for text in tag.values.map({ $0.trimmingCharacters(in: .whitespacesAndNewlines) }) {
                if !text.isEmpty, !texts.contains(text), texts.count < 64 { texts.append(text) }
            }
        }
        return texts
    }

    /// A text that a program has named itself in ID3: `(name) text`.
    fileprivate func userText(_ name: String) -> String? {
        let prefix = "(\(name)) "
        return values("UserDefinedText").first { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    }

    /// The bytes of the greatest picture in the file, as the program announces them; nil without one.
    fileprivate var artworkSize: Int? {
        let pictures = tags.filter { $0.name.hasPrefix("Picture") || $0.name == "CoverArt" }
        guard !pictures.isEmpty else { return nil }
        let prefix = "(Binary data "
        let sizes = pictures.flatMap(\.values).filter { $0.hasPrefix(prefix) }.compactMap {
            Int($0.dropFirst(prefix.count).prefix { $0.isASCII && $0.isNumber })
        }
        return sizes.max() ?? 0
    }

    fileprivate var lyrics: String? {
        tags.first { $0.name == "Lyrics" || $0.name.hasPrefix("Lyrics-") || $0.name == "Unsyncedlyrics" }?.values.first
    }

    /// In ID3v2.3 the year and `DDMM` are two tags; a composed date of theirs has day and month exchanged.
    fileprivate var releaseDate: Date? {
        for group in ["ID3v2_3", "ID3v2_2"] {
            guard let year = value(group, "Year").flatMap(Int.init), (1...9_999).contains(year) else { continue }
            guard let day = value(group, "Date"), day.count == 4, let number = Int(day) else {
                return TagText.date(year, 1, 1)
            }
            return TagText.date(year, number % 100, number / 100)
        }
        let names = [
            "OriginalReleaseTime", "ReleaseTime", "RecordingTime", "ContentCreateDate", "Date", "DateCreated", "Year",
        ]
        return names.lazy.compactMap { name in
            self.tags.first { $0.name == name && !$0.group.hasPrefix("Composite") }.flatMap {
                TagText.date($0.values.first)
            }
        }.first
    }
}
