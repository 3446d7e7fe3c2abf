import Foundation
import ProgramKit
import Testing

/// Files of sound and film, made by the programs that the tests need.
enum MediaTools {
    static let ffmpeg = HelperProgram("ffmpeg", package: "ffmpeg")
    static let exiftool = HelperProgram("exiftool", package: "libimage-exiftool-perl")
    static let comment: Comment =
        "ffmpeg, ffprobe or exiftool are missing: apt-get install ffmpeg libimage-exiftool-perl"
    static let areThere = ffmpeg.url != nil && exiftool.url != nil

    /// A sound of so many seconds with tags; the extension says its format.
    static func sound(
        _ url: URL, seconds: Double = 1, tags: [String: String] = [:], frequency: Int = 440, options: [String] = []
    ) throws {
        let source = ["-f", "lavfi", "-i", "sine=frequency=\(frequency):duration=\(seconds)"]
        try ffmpeg(source + metadata(tags) + options + [url.path])
    }

    static func film(_ url: URL, seconds: Double = 1, tags: [String: String] = [:], options: [String] = []) throws {
        let source = [
            "-f", "lavfi", "-i", "testsrc=duration=\(seconds):size=64x48:rate=10", "-f", "lavfi", "-i",
            "sine=duration=\(seconds)",
        ]
        try ffmpeg(source + metadata(tags) + options + [url.path])
    }

    private static func metadata(_ tags: [String: String]) -> [String] {
        tags.sorted { $0.key < $1.key }.flatMap { ["-metadata", "\($0.key)=\($0.value)"] }
    }

    static func ffmpeg(_ arguments: [String]) throws {
        let output = try ffmpeg.run(["-nostdin", "-loglevel", "error", "-y"] + arguments)
        try #require(output.status == 0, "ffmpeg: \(output.standardError)")
    }

    /// Replaces bytes of a file by as many others.
    static func patch(_ url: URL, _ old: String, _ new: String) throws {
        var data = try Data(contentsOf: url)
        var count = 0
        while let range = data.range(of: Data(old.utf8)) {
            data.replaceSubrange(range, with: Data(new.utf8))
            count += 1
        }
        try #require(count > 0 && old.utf8.count == new.utf8.count)
        try data.write(to: url)
    }
}
