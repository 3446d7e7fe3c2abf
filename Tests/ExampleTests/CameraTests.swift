import CoreData
import CoreDataCodes
import CoreDataRecordings
import Synchronization
import TestBasics
import Testing

@testable import CameraSample

/// The example Camera: scans, codes and a recorder of ten seconds.
@MainActor @Suite struct CameraTests {
    private let folder: TemporaryFolder
    private let container: NSPersistentContainer
    private let camera: Camera

    init() throws {
        folder = try TemporaryFolder()
        container = NSPersistentContainer(name: "Camera")
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: folder.url.appendingPathComponent("Camera.sqlite"))
        ]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        camera = Camera(container.viewContext)
    }

    @Test(
        "a generated code is scanned with its content and type, and stored (SAMPLE-18, CAM-05, CAM-06)",
        .enabled(if: CodeWriter.isAvailable, "zxing-cpp-tools is not installed"),
        arguments: ["https://example.org", "Größe 12 °C", "日本"])
    func codesAreScanned(text: String) async throws {
        let picture = try await camera.code(of: text)
        let scans = try await camera.scan(picture, at: Date())
        #expect(scans.map(\.content) == [text] && scans.map(\.type) == ["org.iso.QRCode"])
        #expect(try container.viewContext.count(for: NSFetchRequest<Scan>(entityName: "Scan")) == 1)
        await #expect(throws: CodeError.self) { _ = try await camera.scan(Data("no picture".utf8), at: Date()) }
        #expect(!container.viewContext.hasChanges)
    }

    @Test("ten seconds are recorded where the person says, and stored only when they are kept (SAMPLE-18, CAM-07)")
    func tenSecondsAreRecorded() async throws {
        let chosen = folder.url.appendingPathComponent("chosen")
        try FileManager.default.createDirectory(at: chosen, withIntermediateDirectories: true)
        let ends = Mutex<[URL]>([])
        let recorder = try camera.record(into: chosen, from: Tone()) { result in
            if let url = try? result.get() { ends.withLock { $0.append(url) } }
        }
        for _ in 0..<2_000 where ends.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(10)) }
        let file = try #require(ends.withLock { $0 }.first)
        #expect(file.lastPathComponent == "recording.wav" && !recorder.isRecording)
        #expect(try Data(contentsOf: file).count == 44 + 10 * 44_100 * 4)
        #expect(try container.viewContext.count(for: NSFetchRequest<Recording>(entityName: "Recording")) == 0)
        let error = #expect(throws: RecordingError.self) { _ = try camera.record(into: chosen, from: Tone()) { _ in } }
        #expect(error?.code == .exists)
        let kept = try camera.keep(file)
        #expect(kept.name == "recording.wav" && kept.sound?.count == 44 + 10 * 44_100 * 4)
    }

    @Test("the recording is played at a rate (SAMPLE-18, MEDIA-16)")
    func recordingIsPlayedAtARate() {
        var playback = SoundPlayback(duration: Camera.longest)
        playback.enableRate(true, at: 0)
        playback.setRate(2, at: 0)
        playback.play(at: 0)
        #expect(playback.end == 5 && playback.position(at: 2) == 4)
    }

    @Test("the property lists show lists of codes and recordings without a problem (SAMPLE-18)")
    func propertyListsAreShown() async throws {
        let shown = try await ShownApp("Camera", in: folder)
        #expect(shown.problems.isEmpty && shown.titles == ["Codes", "Recordings"], "\(shown)")
    }
}
