import CoreDataPictures
import Foundation
import ProgramKit

/// The size and the duration of a film, by the program `ffprobe` of Debian's package `ffmpeg`.
///
/// It opens no other file and no network, and only formats of films: a playlist that looks like one is refused.
struct FilmProbe: Decodable {
    private struct Stream: Decodable {
        struct SideData: Decodable { var rotation: Double? }
        var codec_type: String?
        var width: Int?
        var height: Int?
        var side_data_list: [SideData]?
    }

    private struct Format: Decodable {
        var format_name: String?
        var start_time: String?
        var duration: String?
    }

    private var streams: [Stream]?
    private var format: Format?

    static let ffprobe = HelperProgram("ffprobe", package: "ffmpeg")
    static let ffmpeg = HelperProgram("ffmpeg", package: "ffmpeg")
    /// What both programs may open.
    static let sources = [
        "-protocol_whitelist", "file,pipe", "-format_whitelist", "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,ogg",
    ]

    /// What is known of a film; nil for what is none, or where the program is not installed.
    static func probe(_ file: URL) async -> FilmProbe? {
        let arguments =
            ["-v", "error"] + sources + [
                "-show_entries",
                "format=format_name,duration,start_time:stream=codec_type,width,height:stream_side_data=rotation",
                "-of", "json", file.absoluteURL.path,
            ]
        guard let output = try? await ffprobe.output(arguments, limits: ProgramLimits(output: 1 << 20)),
            output.status == 0
        else { return nil }
        return try? JSONDecoder().decode(FilmProbe.self, from: output.standardOutput)
    }

    /// The size as it is shown: the stored one is before the turn.
    var size: PixelSize? {
        guard let stream = streams?.first(where: { $0.codec_type == "video" }), let width = stream.width,
            let height = stream.height, width > 0, height > 0
        else { return nil }
        let turn = stream.side_data_list?.lazy.compactMap(\.rotation).first ?? 0
        let isTurned = turn.isFinite && Int(abs(turn).truncatingRemainder(dividingBy: 180).rounded()) == 90
        return PixelSize(width: isTurned ? height : width, height: isTurned ? width : height)
    }

    /// Seconds; nil where the file does not say it. Matroska counts from zero and not from the first picture.
    var duration: Double? {
        guard let duration = format?.duration.flatMap(Double.init), duration.isFinite, duration >= 0 else { return nil }
        guard format?.format_name?.contains("matroska") == true,
            let start = format?.start_time.flatMap(Double.init), start.isFinite, start > 0, start < duration
        else { return duration }
        return duration - start
    }
}
