import Foundation

/// The outline of a sound: the greatest amplitude in each of equal parts.
public struct Waveform: Sendable, Equatable {
    /// From 0 to 1.
    public let peaks: [Double]

    /// Samples in a second that are looked at: enough for what is drawn.
    private static let rate = 4_000
    /// The longest sound that is read: two hours.
    private static let longest = 7_200

    /// The outline of a file's sound.
    ///
    /// - Parameter count: How many parts, from 1 to 10,000.
    /// - Throws: `RecordingError` if there is no sound, or `ffmpeg` is missing; `CancellationError`.
    public init(of file: URL, count: Int = 200) async throws {
        let samples = try await MediaConversion.convert(
            file, ["-vn", "-t", String(Self.longest), "-ac", "1", "-ar", String(Self.rate), "-f", "s16le", "pipe:1"],
            output: Self.longest * Self.rate * 2 + 4_096)
        self.init(samples: samples, count: min(max(count, 1), 10_000))
    }

    /// The outline of samples of 16 bits, the lower byte first, of one channel.
    init(samples: Data, count: Int) {
        let total = samples.count / 2
        peaks = samples.withUnsafeBytes { bytes in
            (0..<count).map { part in
                let (start, end) = (part * total / count, (part + 1) * total / count)
                var greatest = 0
                for sample in start..<end {
                    let value = Int16(truncatingIfNeeded: Int(bytes[sample * 2]) | Int(bytes[sample * 2 + 1]) << 8)
                    greatest = max(greatest, Int(value.magnitude))
                }
                return min(Double(greatest) / 32_767, 1)
            }
        }
    }
}
