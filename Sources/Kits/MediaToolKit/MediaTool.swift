import Foundation
import ProgramKit

/// The programs of Debian's package `ffmpeg`, and what they may open: files of formats that hold sound and film themselves.
///
/// No format names other files, as playlists do, and nothing is fetched from a network.
package enum MediaTool {
    package static let ffmpeg = HelperProgram("ffmpeg", package: "ffmpeg")
    package static let ffprobe = HelperProgram("ffprobe", package: "ffmpeg")

    private static let formats =
        "aac,ac3,aiff,amr,ape,asf,au,avi,caf,dts,eac3,flac,flv,matroska,mov,mp3,mp4,m4a,3gp,3g2,mj2,mpc,mpc8,mpeg,mpegts,mpegvideo,"
        + "m4v,ogg,oma,rm,tta,voc,w64,wav,webm,wv"
    private static let sources = ["-protocol_whitelist", "file,pipe", "-format_whitelist", formats]

    package static var isAvailable: Bool { ffmpeg.url != nil && ffprobe.url != nil }

    /// The arguments of a question of `ffprobe` about a file.
    package static func probing(_ path: String, _ entries: [String]) -> [String] {
        ["-hide_banner", "-v", "error"] + sources + entries + ["-i", path]
    }

    /// The arguments of a conversion by `ffmpeg`.
    ///
    /// - Parameters:
    ///   - before: Options of the input.
    ///   - after: Options of the output, with its address: a path or `pipe:1`.
    package static func converting(_ path: String, before: [String] = [], _ after: [String]) -> [String] {
        ["-nostdin", "-hide_banner", "-v", "error", "-y"] + sources + before + ["-i", path] + after
    }
}
