import CoreDataRecordings
import Foundation
import Synchronization
import TestBasics
import Testing

/// A source whose samples a test gives.
private final class Source: SampleSource {
    private let receive = Mutex<(@Sendable ([Float]) -> Void)?>(nil)
    let stops = Mutex(0)
    func start(sampleRate: Int, channels: Int, _ receive: @escaping @Sendable ([Float]) -> Void) {
        self.receive.withLock { $0 = receive }
    }
    func stop() { stops.withLock { $0 += 1 } }
    func give(seconds: Double, _ value: Float = 0.5) {
        receive.withLock { $0 }?([Float](repeating: value, count: Int(seconds * 44_100) * 2))
    }
}

/// Recording into WAV files.
@Suite struct RecorderTests {
    private let source = Source()

    @Test("CAM-07: ten seconds are recorded at 44,100 Hz in 2 channels, and the recording ends by itself")
    func tenSeconds() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("recording.wav")
        let recorder = AVAudioRecorder(url: file, source: source)
        let ends = Mutex<[URL]>([])
        try recorder.record(forDuration: 10) { result in
            if let url = try? result.get() { ends.withLock { $0.append(url) } }
        }
        for _ in 0..<7 { source.give(seconds: 1.5) }
        source.give(seconds: 1.5)
        #expect(ends.withLock { $0 } == [file] && !recorder.isRecording)
        let data = try Data(contentsOf: file)
        #expect(data.count == 44 + 10 * 44_100 * 4)
        #expect(data[22] == 2 && data[24..<28] == Data([0x44, 0xAC, 0, 0]))
        if MediaInformation.isAvailable {
            let information = try await MediaInformation(of: file)
            #expect(
                information.duration == 10 && information.channels == 2 && information.sampleRate == 44_100
                    && !information.isFilm)
        }
    }

    @Test("CAM-07: pausing and recording on appends, stopping closes")
    func pausing() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.wav")
        let recorder = AVAudioRecorder(url: file, source: source)
        try recorder.record()
        source.give(seconds: 1)
        recorder.pause()
        source.give(seconds: 5)
        #expect(recorder.currentTime == 1 && !recorder.isRecording)
        // A paused recording is complete on disk.
        #expect(try Data(contentsOf: file)[40..<44] == Data([0x10, 0xB1, 2, 0]))
        try recorder.record()
        source.give(seconds: 2)
        recorder.stop()
        source.give(seconds: 1)
        #expect(try Data(contentsOf: file).count == 44 + 3 * 44_100 * 4)
        #expect(source.stops.withLock { $0 } >= 2)
    }

    @Test("CAM-07: a further recording asks before it overwrites")
    func overwriting() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.wav")
        try Data("kept".utf8).write(to: file)
        let recorder = AVAudioRecorder(url: file, source: source)
        #expect(recorder.wouldReplaceFile)
        let error = #expect(throws: RecordingError.self) { try recorder.record() }
        #expect(error?.code == .exists && !recorder.isRecording)
        #expect(try Data(contentsOf: file) == Data("kept".utf8))
        try recorder.record(replacesFile: true)
        source.give(seconds: 0.5)
        recorder.stop()
        #expect(try Data(contentsOf: file).count == 44 + 22_050 * 4)
    }

    @Test("CAM-07: samples beyond the range are cut, and settings out of range are refused")
    func badInput() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.wav")
        let wave = try WaveFile(at: file, sampleRate: 8_000, channels: 1)
        try wave.append([0, 1, -1, 9, -.infinity, .nan, 0.5])
        try wave.close()
        let samples = try Data(contentsOf: file).dropFirst(44)
        #expect(Array(samples) == [0, 0, 0xFF, 0x7F, 1, 0x80, 0xFF, 0x7F, 0, 0, 0, 0, 0xFF, 0x3F])
        for (rate, channels) in [(0, 2), (44_100, 0), (44_100, 9), (1_000_000, 1)] {
            #expect(throws: RecordingError.self) {
                try WaveFile(at: folder.url.appendingPathComponent("b.wav"), sampleRate: rate, channels: channels)
            }
        }
        for duration in [0, -1, .nan, .infinity] as [Double] {
            let recorder = AVAudioRecorder(url: folder.url.appendingPathComponent("c.wav"), source: source)
            #expect(throws: RecordingError.self) { try recorder.record(forDuration: duration) }
        }
        #expect(throws: RecordingError.self) { try WaveFile(at: file, appends: true) }
        let more = try WaveFile(at: file, sampleRate: 8_000, channels: 1, appends: true)
        #expect(more.frames == 7)
        try more.append([1])
        try more.close()
        #expect(try Data(contentsOf: file).count == 44 + 16)
    }

    @Test("CAM-07: a folder that is not there ends the recording with an error")
    func missingFolder() throws {
        let folder = try TemporaryFolder()
        let recorder = AVAudioRecorder(url: folder.url.appendingPathComponent("none/a.wav"), source: source)
        #expect(throws: (any Error).self) { try recorder.record() }
        #expect(!recorder.isRecording)
    }
}
