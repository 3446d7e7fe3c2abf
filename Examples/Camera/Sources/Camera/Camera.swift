import CoreData
import CoreDataCodes
import CoreDataRecordings

/// The second Camera of the books: codes that are scanned and made, and a recorder of ten seconds.
@MainActor public struct Camera {
    /// The seconds of a recording.
    public nonisolated static let longest = 10.0
    /// The file of a recording.
    public nonisolated static let fileName = "recording.wav"

    private let context: NSManagedObjectContext

    /// A camera that keeps what it scans in a context.
    public init(_ context: NSManagedObjectContext) { self.context = context }

    /// Scans a picture: a stored scan for each code in it, with its content and type.
    ///
    /// - Throws: `CodeError`, and errors of saving.
    public func scan(_ picture: Data, at date: Date) async throws -> [Scan] {
        let codes = try await CodeReader().codes(in: picture)
        let scans = codes.map { code in
            let scan = Scan(context: context)
            (scan.content, scan.type, scan.date) = (code.stringValue, code.type.rawValue, date)
            return scan
        }
        try context.save()
        return scans
    }

    /// The QR code of a text, enlarged, as a picture in PNG.
    ///
    /// - Throws: `CodeError`.
    public func code(of text: String) async throws -> Data {
        try await CodeWriter().matrix(of: text).png(scale: 10)
    }

    /// Records ten seconds into a folder that the person has chosen, and stores nothing: what is to be kept is stored by `keep`.
    ///
    /// - Throws: `RecordingError` of code `exists` if there is a recording that may not be replaced.
    public func record(
        into folder: URL, from source: any SampleSource, replacesFile: Bool = false,
        ended: @escaping @Sendable (Result<URL, any Error>) -> Void
    ) throws -> AVAudioRecorder {
        let recorder = AVAudioRecorder(url: folder.appendingPathComponent(Self.fileName), source: source)
        try recorder.record(forDuration: Self.longest, replacesFile: replacesFile, ended: ended)
        return recorder
    }

    /// Stores a recording.
    ///
    /// - Throws: Errors of reading and saving.
    public func keep(_ file: URL) throws -> Recording {
        let recording = Recording(context: context)
        recording.sound = try Data(contentsOf: file)
        try context.save()
        return recording
    }
}

/// A microphone for programs without one: a tone.
public final class Tone: SampleSource {
    /// A tone.
    public init() {}

    public func start(sampleRate: Int, channels: Int, _ receive: @escaping @Sendable ([Float]) -> Void) {
        DispatchQueue.global().async {
            for second in 0..<20 {
                receive(
                    (0..<sampleRate).flatMap { sample in
                        let time = Double(second) + Double(sample) / Double(sampleRate)
                        return [Float](repeating: Float(sin(time * 2 * .pi * 440)) / 4, count: channels)
                    })
            }
        }
    }

    public func stop() {}
}
