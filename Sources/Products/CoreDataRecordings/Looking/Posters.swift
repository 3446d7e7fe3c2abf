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
        let picture = try await taken(
            film,
            before: (accuracy == .keyFrame ? ["-skip_frame", "nokey", "-noaccurate_seek"] : [])
                + ["-ss", MediaTimes.text(time)])
        if !picture.isEmpty { return picture }
        // The picture that is shown may have begun before the time, and be the last one: the last of some seconds before it.
        for seconds in [2.0, 30] {
            let start = max(time - seconds, 0)
            let last = try await taken(
                film, before: ["-ss", MediaTimes.text(start), "-t", MediaTimes.text(time - start)], filter: ",reverse")
            if !last.isEmpty { return last }
        }
        throw RecordingError.unreadable
    }

    /// The first picture that ffmpeg gives; empty without one, which is no error to it.
    private func taken(_ film: URL, before: [String], filter: String = "") async throws -> Data {
        let side = String(longestSide)
        let scale = "scale='min(\(side),iw)':'min(\(side),ih)':force_original_aspect_ratio=decrease" + filter
        return try await MediaConversion.convert(
            film, before: before,
            // Without 'passthrough' pictures before the time are left out.
            ["-an", "-frames:v", "1", "-fps_mode", "passthrough", "-vf", scale, "-f", "image2pipe"]
                + ["-c:v", "png", "pipe:1"], seconds: 60, output: 64 << 20)
    }
}

/// Times as ffmpeg reads them.
enum MediaTimes {
    static func text(_ seconds: Double) -> String { String(format: "%.6f", seconds) }
}
