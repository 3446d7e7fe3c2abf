import Foundation
import ProgramKit

/// What `ffprobe` says of a file: its streams, its length, and the tags of formats that `exiftool` does not read.
struct FFProbe: Sendable {
    static let program = HelperProgram("ffprobe", package: "ffmpeg")

    /// Formats of files that hold media themselves: no playlist, nothing that names other files.
    private static let formats =
        "aac,ac3,aiff,amr,ape,asf,au,avi,caf,dts,eac3,flac,flv,matroska,mov,mp3,mp4,mpc,mpc8,mpeg,mpegts,mpegvideo,"
        + "m4v,ogg,oma,rm,tta,voc,w64,wav,webm,wv"

    private struct Report: Decodable {
        struct Format: Decodable {
            var format_name, duration, start_time: String?
            var tags: [String: String]?
        }
        struct Stream: Decodable {
            struct Disposition: Decodable { var attached_pic: Int? }
            struct SideData: Decodable { var rotation: Double? }
            var codec_type, duration: String?
            var width, height: Int?
            var disposition: Disposition?
            var side_data_list: [SideData]?
            var tags: [String: String]?
        }
        var format: Format?
        var streams: [Stream]?
    }

    private let report: Report
    private let path: String

    /// Asks the program.
    ///
    /// - Throws: `ProgramFailure`; ``MediaLibraryError`` for a file that is no sound and no film.
    init(_ path: String) throws {
        let output = try Self.run(
            path,
            [
                "-show_entries",
                "format=format_name,duration,start_time:format_tags:stream=codec_type,duration,width,height"
                    + ":stream_disposition=attached_pic:stream_side_data=rotation:stream_tags", "-of", "json",
            ])
        guard output.status == 0, let report = try? JSONDecoder().decode(Report.self, from: output.standardOutput),
            let streams = report.streams,
            streams.contains(where: { $0.codec_type == "audio" || $0.codec_type == "video" })
        else {
            throw MediaLibraryError(
                .itemUnavailable, "The file is no sound and no film that 'ffprobe' reads",
                hint: "check the file with another player")
        }
        (self.report, self.path) = (report, path)
    }

    private static func run(_ path: String, _ arguments: [String], output: Int = 4 << 20) throws -> ProgramOutput {
        try program.run(
            ["-hide_banner", "-v", "error", "-protocol_whitelist", "file,pipe", "-format_whitelist", formats]
                + arguments
                + ["-i", path],
            limits: ProgramLimits(seconds: 20, processorSeconds: 20, memory: 2 << 30, output: output))
    }

    /// The first stream of pictures that move: the cover of a song is none.
    private var film: Report.Stream? {
        report.streams?.first { $0.codec_type == "video" && $0.disposition?.attached_pic != 1 }
    }

    var isFilm: Bool { film != nil }

    /// The size as shown: a turned film is stored in the size before turning.
    var size: (width: Int, height: Int)? {
        guard let film, let width = film.width, let height = film.height, width > 0, height > 0 else { return nil }
        let turn = film.side_data_list?.compactMap(\.rotation).first ?? 0
        return Int(turn.magnitude.rounded()) % 180 == 90 ? (height, width) : (width, height)
    }

    /// Seconds: in Matroska the stated length counts from zero, and recordings have none.
    func duration() throws -> Double? {
        let isMatroska = report.format?.format_name?.contains("matroska") ?? false
        if let text = report.format?.duration, let stated = Double(text), stated > 0, stated.isFinite {
            let start = report.format?.start_time.flatMap(Double.init) ?? 0
            return isMatroska && start > 0 && start < stated ? stated - start : stated
        }
        return try lastPacketEnd()
    }

    /// The end of the last packet, less the beginning of the first.
    private func lastPacketEnd() throws -> Double? {
        let output = try Self.run(
            path, ["-show_entries", "packet=pts_time,duration_time", "-of", "csv=p=0"], output: 64 << 20)
        var (first, last) = (Double.infinity, -Double.infinity)
        for line in output.standardOutput.split(separator: UInt8(ascii: "\n")) {
            let numbers = String(decoding: line, as: UTF8.self).split(separator: ",").map { Double($0) }
            guard let start = numbers.first ?? nil else { continue }
            let length = numbers.count > 1 ? numbers[1] ?? 0 : 0
            (first, last) = (min(first, start), max(last, start + length))
        }
        return last > first ? last - max(first, 0) : nil
    }

    /// The facts of a file whose tags `exiftool` does not read.
    func facts() throws -> MediaFacts {
        var tags = Self.folded(report.format?.tags)
        for stream in report.streams ?? [] { tags.merge(Self.folded(stream.tags)) { own, _ in own } }
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

    private static func folded(_ tags: [String: String]?) -> [String: String] {
        var folded: [String: String] = [:]
        for (name, text) in (tags ?? [:]).sorted(by: { $0.key < $1.key }) {
            let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
            if !text.isEmpty { folded[name.lowercased()] = text }
        }
        // Written by muxers into each stream.
        folded["encoder"] = nil
        return folded
    }
}
