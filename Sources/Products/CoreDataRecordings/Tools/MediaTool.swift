import Foundation
import ProgramKit

/// Runs `ffmpeg` and `ffprobe` on files from outside: of known formats only, without a network, within limits.
enum MediaTool {
    private static let ffmpeg = HelperProgram("ffmpeg", package: "ffmpeg")
    private static let ffprobe = HelperProgram("ffprobe", package: "ffmpeg")
    /// Formats of one file each: none that names other files, as playlists do.
    private static let reading = [
        "-protocol_whitelist", "file,pipe", "-format_whitelist",
        "wav,mp3,flac,ogg,matroska,webm,mov,mp4,m4a,aac,aiff,caf,avi,mpegts",
    ]

    static var isAvailable: Bool { ffmpeg.url != nil && ffprobe.url != nil }

    /// What `ffprobe` says of a file.
    static func probe(_ file: URL, _ arguments: [String]) async throws -> String {
        let output = try await run(ffprobe, ["-v", "error"] + reading + arguments + ["-i", file.path], seconds: 60)
        guard output.status == 0 else { throw RecordingError.unreadable }
        return output.text
    }

    /// Converts a file.
    ///
    /// - Parameters:
    ///   - before: Options of the input.
    ///   - after: Options of the output, with its address: a path or `pipe:1`.
    static func convert(
        _ file: URL, before: [String] = [], _ after: [String], seconds: Double = 600, output: Int = 1 << 20
    ) async throws -> Data {
        let run = try await run(
            ffmpeg, ["-nostdin", "-v", "error", "-y"] + reading + before + ["-i", file.path] + after, seconds: seconds,
            output: output)
        guard run.status == 0 else { throw RecordingError.unreadable }
        return run.standardOutput
    }

    private static func run(
        _ program: HelperProgram, _ arguments: [String], seconds: Double, output: Int = 64 << 20
    ) async throws -> ProgramOutput {
        do {
            return try await program.output(
                arguments,
                limits: ProgramLimits(
                    seconds: seconds, processorSeconds: Int(seconds) * 2, memory: 4 << 30, output: output,
                    fileSize: 4 << 30))
        } catch let failure as ProgramFailure {
            throw RecordingError(failure)
        }
    }

    /// A new file's place in a folder of its own, which is removed afterwards.
    static func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("recording-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }

    /// Puts a finished file at its place.
    static func move(_ made: URL, to target: URL, replaces: Bool) throws {
        guard replaces || !FileManager.default.fileExists(atPath: target.path) else {
            throw RecordingError(
                .exists, "there is a file '\(target.lastPathComponent)' already",
                hint: "choose another name, or say that it is to be replaced")
        }
        if replaces { try? FileManager.default.removeItem(at: target) }
        try FileManager.default.moveItem(at: made, to: target)
    }
}
