import Foundation
import TestBasics

/// Films and sounds that ffmpeg makes.
enum MediaFixture {
    static let hasTool = (try? Toolchain.url("ffmpeg")) != nil

    static func make(_ name: String, in folder: TemporaryFolder, _ arguments: [String]) throws -> URL {
        let file = folder.url.appendingPathComponent(name)
        _ = try Toolchain.output("ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments + [file.path])
        return file
    }

    /// A film with a counter and a tone, of some seconds, as `MediaRecorder` writes it: without a duration.
    static func recording(seconds: Int, in folder: TemporaryFolder) throws -> URL {
        try make(
            "recording.webm", in: folder,
            [
                "-f", "lavfi", "-i", "testsrc=size=160x120:rate=10:duration=\(seconds)", "-f", "lavfi", "-i",
                "sine=frequency=440:duration=\(seconds)", "-c:v", "libvpx", "-b:v", "200k", "-g", "20", "-deadline",
                "realtime", "-cpu-used", "8", "-c:a", "libvorbis", "-f", "webm", "-live", "1",
            ])
    }

    /// A tone that becomes louder, of some seconds.
    static func tone(_ name: String, seconds: Int, in folder: TemporaryFolder, _ arguments: [String] = []) throws -> URL
    {
        try make(
            name, in: folder,
            [
                "-f", "lavfi", "-i", "sine=frequency=440:duration=\(seconds)", "-af",
                "volume='t/\(seconds)':eval=frame",
            ] + arguments)
    }
}
