import Foundation
import MediaToolKit
import ProgramKit

/// Runs `ffmpeg` and `ffprobe` on files from outside, within limits.
enum MediaConversion {
    /// What `ffprobe` says of a file.
    ///
    /// - Throws: `RecordingError` for a file that is neither sound nor film.
    static func probe(_ file: URL) async throws -> MediaProbe {
        guard let probe = MediaProbe(try await run(MediaTool.ffprobe, MediaProbe.arguments(file.path), seconds: 60))
        else {
            throw RecordingError.unreadable
        }
        return probe
    }

    /// The seconds from the beginning of a stream's first packet to the end of its last; 0 without packets.
    static func packetLength(of file: URL, stream: Int) async throws -> Double {
        let output = try await run(
            MediaTool.ffprobe, MediaProbe.packetArguments(file.path, stream: stream), seconds: 60)
        guard output.status == 0 else { throw RecordingError.unreadable }
        return MediaProbe.length(ofPackets: output) ?? 0
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
            MediaTool.ffmpeg, MediaTool.converting(file.path, before: before, after), seconds: seconds, output: output)
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
