import Foundation

/// A file in WAV with samples of 16 bits, which is written while it grows.
///
/// Invariants:
/// 1. The header says as many samples as were written when `close` or `update` returned.
public final class WaveFile {
    /// Samples in a second.
    public let sampleRate: Int
    /// Channels, whose samples alternate.
    public let channels: Int
    /// The frames that the file has: a sample of each channel.
    public private(set) var frames: Int
    private let handle: FileHandle

    /// What a header says: 44 bytes for PCM of 16 bits.
    private static let headerSize = 44

    /// Makes an empty file, or opens one of the same form to append to it.
    ///
    /// - Throws: `RecordingError` of code `badSettings` for other than 1 to 8 channels and 8,000 to 192,000 samples in a second, of code
    ///   `unreadable` if a file to append to has another form; errors of the file system.
    public init(at url: URL, sampleRate: Int = 44_100, channels: Int = 2, appends: Bool = false) throws {
        guard (1...8).contains(channels), (8_000...192_000).contains(sampleRate) else {
            throw RecordingError(
                .badSettings, "\(channels) channels of \(sampleRate) samples in a second are not recorded",
                hint: "give 1 to 8 channels and 8,000 to 192,000 samples in a second")
        }
        (self.sampleRate, self.channels) = (sampleRate, channels)
        if appends {
            handle = try FileHandle(forUpdating: url)
            let header = try handle.read(upToCount: Self.headerSize) ?? Data()
            guard
                header.prefix(40) == Self.header(sampleRate, channels, bytes: 0).prefix(40).replacingSize(with: header)
            else {
                throw RecordingError(
                    .unreadable,
                    "'\(url.lastPathComponent)' is no WAV of \(channels) channels and \(sampleRate) samples in a second",
                    hint: "record into another file")
            }
            let size = try handle.seekToEnd()
            frames = (Int(size) - Self.headerSize) / (channels * 2)
        } else {
            guard
                FileManager.default.createFile(atPath: url.path, contents: Self.header(sampleRate, channels, bytes: 0))
            else { throw CocoaError(.fileWriteUnknown) }
            handle = try FileHandle(forUpdating: url)
            try handle.seekToEnd()
            frames = 0
        }
    }

    /// Appends samples of all channels in turn, each from -1 to 1; what lies beyond is cut, and what is no number is silence.
    public func append(_ samples: [Float]) throws {
        let whole = samples.prefix(samples.count / channels * channels)
        var bytes = Data(capacity: whole.count * 2)
        for sample in whole {
            let value = Int16(sample.isFinite ? min(max(sample, -1), 1) * 32_767 : 0)
            bytes.append(UInt8(truncatingIfNeeded: value))
            bytes.append(UInt8(truncatingIfNeeded: value >> 8))
        }
        try handle.write(contentsOf: bytes)
        frames += whole.count / channels
    }

    /// Writes the header for what there is.
    public func update() throws {
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: Self.header(sampleRate, channels, bytes: frames * channels * 2))
        try handle.seekToEnd()
    }

    /// Writes the header and closes the file.
    public func close() throws {
        try update()
        try handle.close()
    }

    private static func header(_ rate: Int, _ channels: Int, bytes: Int) -> Data {
        func number(_ value: Int, _ count: Int) -> Data {
            Data((0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
        }
        // Sizes beyond four bytes are written as the greatest, which readers take as: until the end.
        let size = min(bytes, Int(UInt32.max) - 36)
        return Data("RIFF".utf8) + number(size + 36, 4) + Data("WAVEfmt ".utf8) + number(16, 4) + number(1, 2)
            + number(channels, 2) + number(rate, 4) + number(rate * channels * 2, 4) + number(channels * 2, 2)
            + number(16, 2) + Data("data".utf8) + number(size, 4)
    }
}

extension Data {
    /// The header with the size of another one, which is the only part in which two of one form differ.
    fileprivate func replacingSize(with other: Data) -> Data {
        guard count >= 8, other.count >= 8 else { return self }
        return prefix(4) + other[(other.startIndex + 4)..<(other.startIndex + 8)] + dropFirst(8)
    }
}
