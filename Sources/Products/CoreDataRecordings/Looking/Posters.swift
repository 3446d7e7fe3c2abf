import Foundation

/// Pictures of a film at some times, each answered once, in the order of the request (MEDIA-13).
public struct Posters: Sendable {
    /// Which picture stands for a time.
    public enum Accuracy: Sendable {
        /// The nearest key frame before the time, which is fast.
        case keyFrame
        /// The picture that is shown at the time.
        case exact
    }

    /// The picture for a time, or why there is none.
    public struct Answer: Sendable {
        /// The time that was asked for, in seconds.
        public let time: Double
        /// A picture in PNG.
        public let result: Result<Data, RecordingError>
    }

    /// Which pictures are taken.
    public var accuracy: Accuracy
    /// The longest side in pixels; smaller films keep their size.
    public var longestSide: Int

    /// Posters of a size.
    public init(accuracy: Accuracy = .exact, longestSide: Int = 640) {
        (self.accuracy, self.longestSide) = (accuracy, min(max(longestSide, 16), 4_096))
    }

    /// The pictures for some times.
    ///
    /// A time beyond the end, before the beginning or without a number is answered with an error of code `badTime`.
    /// - Throws: `RecordingError` if the file is no film, or `ffmpeg` is missing; `CancellationError`.
    public func pictures(of film: URL, at times: [Double]) async throws -> [Answer] {
        let information = try await MediaInformation(of: film)
        guard information.isFilm else {
            throw RecordingError(.unreadable, "the file has no pictures", hint: "ask for the waveform of a sound")
        }
        var answers: [Answer] = []
        for time in times {
            try Task.checkCancellation()
            do {
                answers.append(Answer(time: time, result: .success(try await picture(of: film, information, at: time))))
            } catch let error as RecordingError {
                answers.append(Answer(time: time, result: .failure(error)))
            }
        }
        return answers
    }

    private func picture(of film: URL, _ information: MediaInformation, at time: Double) async throws -> Data {
        guard time.isFinite, time >= 0, time < information.duration else {
            throw RecordingError(
                .badTime, "the film has no picture at \(time.formatted()) seconds",
                hint: "ask for a time from 0 to before \(information.duration.formatted()) seconds")
        }
        let side = String(longestSide)
        let scale = "scale='min(\(side),iw)':'min(\(side),ih)':force_original_aspect_ratio=decrease"
        let picture = try await MediaConversion.convert(
            film,
            before: (accuracy == .keyFrame ? ["-skip_frame", "nokey", "-noaccurate_seek"] : [])
                + ["-ss", MediaTimes.text(time)],
            // Without 'passthrough' pictures before the time are left out.
            [
                "-an", "-frames:v", "1", "-fps_mode", "passthrough", "-vf", scale, "-f", "image2pipe", "-c:v", "png",
                "pipe:1",
            ], seconds: 60,
            output: 64 << 20)
        guard !picture.isEmpty else {
            // The last picture may begin before the time and last until the end.
            guard time > 0, accuracy == .exact else { throw RecordingError.unreadable }
            return try await Posters(accuracy: .keyFrame, longestSide: longestSide)
                .picture(of: film, information, at: max(time - 1, 0))
        }
        return picture
    }
}

/// Times as ffmpeg reads them.
enum MediaTimes {
    static func text(_ seconds: Double) -> String { String(format: "%.6f", seconds) }
}
