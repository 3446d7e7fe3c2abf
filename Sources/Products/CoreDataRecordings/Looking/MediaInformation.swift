import Foundation

/// What a file of sound or film has: by its streams, since the name and the first bytes do not say it.
public struct MediaInformation: Sendable, Equatable {
    /// Whether there are moving pictures; a cover is none.
    public let isFilm: Bool
    /// Whether there is sound.
    public let hasSound: Bool
    /// Seconds, up to the end of the last packet.
    public let duration: Double
    /// Pixels, of films as they are shown.
    public let width: Int
    /// Pixels, of films as they are shown.
    public let height: Int
    /// Samples in a second; 0 without sound.
    public let sampleRate: Int
    /// Channels of sound; 0 without sound.
    public let channels: Int
    /// Whether the container says the duration itself, which what a browser records does not.
    public let saysDuration: Bool

    /// Whether files can be read: `ffmpeg` and `ffprobe` are installed.
    public static var isAvailable: Bool { MediaTool.isAvailable }

    /// Reads a file.
    ///
    /// - Throws: `RecordingError` if it is neither sound nor film, or `ffprobe` is missing; `CancellationError`.
    public init(of file: URL) async throws {
        let text = try await MediaTool.probe(
            file,
            [
                "-show_entries",
                "format=duration,start_time,format_name:stream=index,codec_type,width,height,sample_rate,channels:stream_disposition=attached_pic:stream_side_data=rotation",
                "-of", "json",
            ])
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(text.utf8)) else {
            throw RecordingError.unreadable
        }
        let pictures = answer.streams.first { $0.codec_type == "video" && $0.disposition?.attached_pic != 1 }
        let sound = answer.streams.first { $0.codec_type == "audio" }
        guard let main = pictures ?? sound else { throw RecordingError.unreadable }
        isFilm = pictures != nil
        hasSound = sound != nil
        let isTurned =
            (pictures?.side_data_list?.compactMap(\.rotation).first).map { abs(Int($0)) % 180 == 90 } ?? false
        (width, height) =
            isTurned
            ? (pictures?.height ?? 0, pictures?.width ?? 0) : (pictures?.width ?? 0, pictures?.height ?? 0)
        (sampleRate, channels) = (sound?.sample_rate.flatMap { Int($0) } ?? 0, sound?.channels ?? 0)
        let said = answer.format?.duration.flatMap { Double($0) }
        saysDuration = said != nil
        let names = answer.format?.format_name ?? ""
        // An MP3 without a header of its encoder says a length that is a guess.
        if let said, !names.contains("mp3") {
            // Matroska counts from zero and not from the first packet.
            let start = answer.format?.start_time.flatMap { Double($0) } ?? 0
            duration = max(names.contains("matroska") ? said - max(start, 0) : said, 0)
        } else {
            duration = try await Self.end(of: file, stream: main.index)
        }
    }

    /// The end of the last packet of a stream, from the start of its first.
    private static func end(of file: URL, stream: Int) async throws -> Double {
        let lines = try await MediaTool.probe(
            file,
            [
                "-select_streams", String(stream), "-show_entries", "packet=pts_time,duration_time", "-of", "csv=p=0",
            ])
        var (first, end): (Double?, Double) = (nil, 0)
        for line in lines.split(separator: "\n") {
            let numbers = line.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
            guard let start = numbers.first ?? nil else { continue }
            first = min(first ?? start, start)
            end = max(end, start + ((numbers.count > 1 ? numbers[1] : nil) ?? 0))
        }
        return max(end - (first ?? 0), 0)
    }

    // The names are those of ffprobe's JSON.
    private struct Answer: Decodable {
        struct Format: Decodable { let duration, start_time, format_name: String? }
        struct Disposition: Decodable { let attached_pic: Int? }
        struct SideData: Decodable { let rotation: Double? }
        struct Stream: Decodable {
            let index: Int
            let codec_type: String?
            let width, height, channels: Int?
            let sample_rate: String?
            let disposition: Disposition?
            let side_data_list: [SideData]?
        }
        let streams: [Stream]
        let format: Format?
    }
}
