import Foundation
import MediaToolKit

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
        let probe = try await MediaConversion.probe(file)
        (isFilm, hasSound) = (probe.isFilm, probe.hasSound)
        (width, height) = probe.size ?? (0, 0)
        (sampleRate, channels) = (probe.sampleRate ?? 0, probe.channels ?? 0)
        saysDuration = probe.statedDuration != nil
        if let stated = probe.statedDuration, !probe.guessesDuration {
            duration = stated
        } else {
            duration = try await MediaConversion.packetLength(of: file, stream: probe.mainStream)
        }
    }
}
