import Foundation
import MediaToolKit

/// Changes of recordings, each written into a new file: given a duration, trimmed, exported.
///
/// A new file appears when it is complete. All methods throw `RecordingError`, and `CancellationError` if the task was cancelled.
public enum MediaChanges {
    /// A form in which a file is written.
    public enum Form: String, Sendable, CaseIterable {
        /// WAV: 44,100 samples in a second, two channels of 16 bits.
        case wave = "wav"
        /// MP3.
        case mp3
        /// AAC in MPEG-4.
        case m4a
        /// FLAC.
        case flac
        /// Vorbis in Ogg.
        case ogg
        /// VP8 and Vorbis, which browsers play.
        case webm
        /// H.264 and AAC.
        case mp4

        /// Whether it holds films.
        public var holdsFilms: Bool { self == .webm || self == .mp4 }

        var encoding: [String] {
            switch self {
            case .wave: ["-vn", "-c:a", "pcm_s16le", "-ar", "44100", "-ac", "2", "-f", "wav"]
            case .mp3: ["-vn", "-c:a", "libmp3lame", "-q:a", "2", "-f", "mp3"]
            case .m4a: ["-vn", "-c:a", "aac", "-b:a", "192k", "-f", "ipod"]
            case .flac: ["-vn", "-c:a", "flac", "-f", "flac"]
            case .ogg: ["-vn", "-c:a", "libvorbis", "-q:a", "5", "-f", "ogg"]
            case .webm:
                [
                    "-c:v", "libvpx", "-b:v", "1M", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libvorbis",
                    "-f", "webm",
                ]
            case .mp4:
                [
                    "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-vf",
                    "scale=trunc(iw/2)*2:trunc(ih/2)*2", "-c:a", "aac", "-movflags", "+faststart", "-f", "mp4",
                ]
            }
        }
    }

    /// Writes a recording of a browser with a duration, without encoding it again: such recordings say none, and cannot be sought in.
    public static func giveDuration(to recording: URL, in target: URL, replaces: Bool = false) async throws {
        let names = try await MediaConversion.probe(recording).formatNames
        let form =
            names.contains("matroska") ? "webm" : names.contains("ogg") ? "ogg" : names.contains("mp4") ? "mp4" : nil
        guard let form else {
            throw RecordingError(
                .unreadable, "the recording is no WebM, Ogg or MPEG-4", hint: "export it into another form")
        }
        try await write(recording, target, replaces, ["-map", "0", "-c", "copy", "-f", form])
    }

    /// Writes a part of a sound or film.
    ///
    /// The part is encoded again, so that it begins and ends where it was asked to, and nothing of what was cut off is left in the file.
    /// - Parameters:
    ///   - range: Seconds, from 0 to the end at most.
    public static func trim(
        _ file: URL, to range: Range<Double>, as form: Form, in target: URL, replaces: Bool = false
    ) async throws {
        let information = try await MediaInformation(of: file)
        guard range.lowerBound >= 0, !range.isEmpty, range.upperBound.isFinite,
            range.upperBound <= information.duration + 0.1
        else {
            throw RecordingError(
                .badTime,
                "there is no part from \(range.lowerBound.formatted()) to \(range.upperBound.formatted()) seconds",
                hint: "give a part within 0 to \(information.duration.formatted()) seconds")
        }
        try await write(
            file, target, replaces, before: ["-ss", MediaTimes.text(range.lowerBound)],
            ["-t", MediaTimes.text(range.upperBound - range.lowerBound), "-map_metadata", "0"] + form.encoding)
    }

    /// Writes a sound or film in another form.
    ///
    /// - Parameters:
    ///   - metadata: Tags to add, such as `title` and `artist`; those of the file stay.
    ///   - longest: The seconds after which it is cut; nil for all.
    public static func export(
        _ file: URL, as form: Form, metadata: [String: String] = [:], longest: Double? = nil, in target: URL,
        replaces: Bool = false
    ) async throws {
        for (name, value) in metadata {
            guard name.utf8.allSatisfy({ ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || $0 == 0x5F }), !name.isEmpty,
                value.utf8.count <= 4_096, !value.utf8.contains(0)
            else {
                throw RecordingError(
                    .badSettings, "'\(name.prefix(80))' is no tag that can be written",
                    hint: "give a name of letters and a value of at most 4,096 bytes")
            }
        }
        let tags = metadata.sorted { $0.key < $1.key }.flatMap { ["-metadata", "\($0.key)=\($0.value)"] }
        let end = longest.map { $0.isFinite && $0 > 0 ? ["-t", MediaTimes.text($0)] : [] } ?? []
        try await write(file, target, replaces, end + ["-map_metadata", "0"] + tags + form.encoding)
    }

    private static func write(
        _ file: URL, _ target: URL, _ replaces: Bool, before: [String] = [], _ options: [String]
    ) async throws {
        guard replaces || !FileManager.default.fileExists(atPath: target.path) else {
            throw RecordingError(
                .exists, "there is a file '\(target.lastPathComponent)' already",
                hint: "choose another name, or say that it is to be replaced")
        }
        try await MediaConversion.withFolder { folder in
            let made = folder.appendingPathComponent("made")
            _ = try await MediaConversion.convert(file, before: before, options + [made.path])
            guard let size = try? FileManager.default.attributesOfItem(atPath: made.path)[.size] as? Int, size > 0
            else {
                throw RecordingError.unreadable
            }
            try MediaConversion.move(made, to: target, replaces: replaces)
        }
    }
}
