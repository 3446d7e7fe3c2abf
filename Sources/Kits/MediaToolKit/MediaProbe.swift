import Foundation
import ProgramKit

/// What `ffprobe` says of a file of sound or film: its streams, its length and its tags.
package struct MediaProbe: Sendable {
    private struct Report: Decodable {
        struct Format: Decodable {
            var format_name, duration, start_time: String?
            var tags: [String: String]?
        }
        struct Stream: Decodable {
            struct Disposition: Decodable { var attached_pic: Int? }
            struct SideData: Decodable { var rotation: Double? }
            var index: Int?
            var codec_type, sample_rate: String?
            var width, height, channels: Int?
            var disposition: Disposition?
            var side_data_list: [SideData]?
            var tags: [String: String]?
        }
        var format: Format?
        var streams: [Stream]?
    }

    private let format: Report.Format?
    private let streams: [Report.Stream]
    /// Pictures that move: the cover of a song is none.
    private let film: Report.Stream?
    private let sound: Report.Stream?

    /// The arguments with which `ffprobe` says what is read here.
    package static func arguments(_ path: String) -> [String] {
        MediaTool.probing(
            path,
            [
                "-show_entries",
                "format=format_name,duration,start_time:format_tags:stream=index,codec_type,width,height,sample_rate,channels"
                    + ":stream_disposition=attached_pic:stream_side_data=rotation:stream_tags", "-of", "json",
            ])
    }

    /// Reads an answer; nil for a file without sound and pictures that move.
    package init?(_ output: ProgramOutput) {
        guard output.status == 0, let report = try? JSONDecoder().decode(Report.self, from: output.standardOutput)
        else { return nil }
        (format, streams) = (report.format, report.streams ?? [])
        film = streams.first { $0.codec_type == "video" && $0.disposition?.attached_pic != 1 }
        sound = streams.first { $0.codec_type == "audio" }
        guard film != nil || sound != nil else { return nil }
    }

    package var isFilm: Bool { film != nil }

    package var hasSound: Bool { sound != nil }

    /// Samples in a second, and channels; nil without sound.
    package var sampleRate: Int? { sound?.sample_rate.flatMap { Int($0) } }
    package var channels: Int? { sound?.channels }

    /// The number of the stream whose length is the file's.
    package var mainStream: Int { (film ?? sound)?.index ?? 0 }

    /// Pixels of a film as it is shown: what is stored is the size before turning.
    package var size: (width: Int, height: Int)? {
        guard let film, let width = film.width, let height = film.height, width > 0, height > 0 else { return nil }
        let turn = film.side_data_list?.lazy.compactMap(\.rotation).first ?? 0
        let isTurned = turn.isFinite && turn.magnitude < 1_000_000 && Int(turn.magnitude.rounded()) % 180 == 90
        return isTurned ? (height, width) : (width, height)
    }

    package var formatNames: String { format?.format_name ?? "" }

    /// The tags of the container and, where it lacks one, of the streams: some formats have them there. Names are in small letters.
    package var tags: [String: String] {
        var tags = Self.folded(format?.tags)
        for stream in streams { tags.merge(Self.folded(stream.tags)) { own, _ in own } }
        return tags
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

    // MARK: Length

    /// The seconds that the container says; nil where it says none, as what browsers record does not.
    ///
    /// Matroska counts from zero and not from the first picture.
    package var statedDuration: Double? {
        guard let stated = format?.duration.flatMap(Double.init), stated.isFinite, stated > 0 else { return nil }
        let start = format?.start_time.flatMap(Double.init) ?? 0
        return formatNames.contains("matroska") && start > 0 && start < stated ? stated - start : stated
    }

    /// Whether the stated length is a guess: an MP3 without a header of its encoder has one by its first frames' bit rate.
    package var guessesDuration: Bool { formatNames.contains("mp3") }

    /// The arguments with which `ffprobe` lists when packets begin and how long they last.
    package static func packetArguments(_ path: String, stream: Int) -> [String] {
        MediaTool.probing(
            path,
            ["-select_streams", String(stream), "-show_entries", "packet=pts_time,duration_time", "-of", "csv=p=0"])
    }

    /// The seconds from the beginning of the first packet to the end of the last; nil without packets.
    package static func length(ofPackets output: ProgramOutput) -> Double? {
        var (first, last) = (Double.infinity, -Double.infinity)
        for line in output.standardOutput.split(separator: UInt8(ascii: "\n")) {
            let numbers = String(decoding: line, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
                .map { Double($0) }
            guard let start = numbers.first ?? nil, start.isFinite else { continue }
            let length = (numbers.count > 1 ? numbers[1] : nil) ?? 0
            (first, last) = (min(first, start), max(last, start + length))
        }
        return last > first ? last - first : nil
    }
}
