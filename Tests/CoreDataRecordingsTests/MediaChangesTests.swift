import CoreDataRecordings
import Foundation
import TestBasics
import Testing

/// Recordings that get a duration, are trimmed and exported.
@Suite(.enabled(if: MediaFixture.hasTool, "ffmpeg is not installed")) struct MediaChangesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func place(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    @Test("CAM-08: a recording of a browser gets a duration without being encoded again")
    func duration() async throws {
        let recording = try MediaFixture.recording(seconds: 8, in: folder)
        let before = try await MediaInformation(of: recording)
        #expect(!before.saysDuration && before.isFilm && before.hasSound && abs(before.duration - 8) < 0.15)
        try await MediaChanges.giveDuration(to: recording, in: place("done.webm"))
        let after = try await MediaInformation(of: place("done.webm"))
        #expect(after.saysDuration && abs(after.duration - 8) < 0.15 && after.width == 160 && after.height == 120)
    }

    @Test("CAM-08: trimming 2–5 s gives 3 s, and what was cut off is not left in the file", arguments: ["webm", "mp4"])
    func trimming(ending: String) async throws {
        let recording = try MediaFixture.recording(seconds: 8, in: folder)
        let form = try #require(MediaChanges.Form(rawValue: ending))
        let target = place("trimmed.\(ending)")
        try await MediaChanges.trim(recording, to: 2..<5, as: form, in: target)
        let trimmed = try await MediaInformation(of: target)
        #expect(abs(trimmed.duration - 3) < 0.15 && trimmed.isFilm, "\(trimmed)")
        // All packets, hidden by a list of edits or not.
        let packets = try Toolchain.output(
            "ffprobe",
            [
                "-v", "error", "-ignore_editlist", "1", "-select_streams", "v", "-show_entries", "packet=pts_time",
                "-of",
                "csv=p=0", target.path,
            ].filter { ending == "mp4" || !["-ignore_editlist", "1"].contains($0) })
        #expect((28...32).contains(packets.split(separator: "\n").count))
    }

    @Test("CAM-08: empty parts and those beyond the end are refused, and a file that is there is kept")
    func badParts() async throws {
        let recording = try MediaFixture.recording(seconds: 2, in: folder)
        for range in [5..<9, -1..<1, 1..<1, 0..<Double.infinity] as [Range<Double>] {
            let error = await #expect(throws: RecordingError.self) {
                try await MediaChanges.trim(recording, to: range, as: .webm, in: place("x.webm"))
            }
            #expect(error?.code == .badTime)
        }
        try Data("kept".utf8).write(to: place("kept.webm"))
        let error = await #expect(throws: RecordingError.self) {
            try await MediaChanges.trim(recording, to: 0..<1, as: .webm, in: place("kept.webm"))
        }
        #expect(error?.code == .exists)
        #expect(try Data(contentsOf: place("kept.webm")) == Data("kept".utf8))
        try await MediaChanges.trim(recording, to: 0..<1, as: .webm, in: place("kept.webm"), replaces: true)
        #expect(try Data(contentsOf: place("kept.webm")).count > 1_000)
    }

    @Test("MEDIA-12: a film is exported to another format with added metadata")
    func export() async throws {
        let recording = try MediaFixture.recording(seconds: 2, in: folder)
        try await MediaChanges.export(
            recording, as: .mp4, metadata: ["title": "Größe = 1; 'x'", "artist": "--name"], in: place("a.mp4"))
        let tags = try Toolchain.output(
            "ffprobe",
            [
                "-v", "error", "-show_entries", "format_tags=title,artist", "-of", "default=nk=1:nw=1",
                place("a.mp4").path,
            ])
        #expect(Set(tags.split(separator: "\n")) == ["Größe = 1; 'x'", "--name"])
        for (name, value) in [
            ("ti=tle", "x"), ("", "x"), ("title", String(repeating: "x", count: 5_000)), ("a b", "x"),
        ] {
            let error = await #expect(throws: RecordingError.self) {
                try await MediaChanges.export(recording, as: .mp4, metadata: [name: value], in: place("b.mp4"))
            }
            #expect(error?.code == .badSettings)
        }
    }

    @Test("CAM-07: any sound becomes WAV of 44,100 Hz and 2 channels, cut at a greatest duration")
    func wave() async throws {
        let sound = try MediaFixture.tone("a.mp3", seconds: 4, in: folder, ["-ar", "22050", "-ac", "1"])
        try await MediaChanges.export(sound, as: .wave, longest: 1.5, in: place("a.wav"))
        let made = try await MediaInformation(of: place("a.wav"))
        #expect(made.sampleRate == 44_100 && made.channels == 2 && abs(made.duration - 1.5) < 0.01)
    }

    @Test(
        "MEDIA-12: all forms hold a sound",
        arguments: MediaChanges.Form.allCases.filter { !$0.holdsFilms })
    func forms(form: MediaChanges.Form) async throws {
        let sound = try MediaFixture.tone("a.wav", seconds: 2, in: folder)
        let target = place("b.\(form.rawValue)")
        try await MediaChanges.export(sound, as: form, in: target)
        let made = try await MediaInformation(of: target)
        #expect(made.hasSound && !made.isFilm && abs(made.duration - 2) < 0.1, "\(form): \(made)")
    }

    @Test(
        "MEDIA-12: files of other kinds, and those that name others, are refused",
        arguments: [
            ("a.mp4", "#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n"), ("a.webm", ""),
            ("a.txt", "ffconcat version 1.0\nfile /etc/passwd\n"),
            ("a.wav", "RIFF\u{0}\u{0}\u{0}\u{0}WAVE"), ("-i.mp3", "ID3"),
        ])
    func hostileFiles(name: String, text: String) async throws {
        let file = place(name)
        try Data(text.utf8).write(to: file)
        await #expect(throws: RecordingError.self) { try await MediaInformation(of: file) }
        await #expect(throws: RecordingError.self) { try await MediaChanges.giveDuration(to: file, in: place("x")) }
        await #expect(throws: RecordingError.self) { try await MediaChanges.export(file, as: .wave, in: place("x")) }
        await #expect(throws: RecordingError.self) { try await Waveform(of: file) }
        #expect(!FileManager.default.fileExists(atPath: place("x").path))
    }

    @Test("CAM-08: truncated and changed recordings end in an error or a shorter file, never in a crash")
    func damagedFiles() async throws {
        let recording = try Data(contentsOf: MediaFixture.recording(seconds: 2, in: folder))
        var random = SeededRandom(seed: 7)
        for round in 0..<6 {
            var changed = recording.prefix(Int.random(in: 10..<recording.count, using: &random))
            changed[Int.random(in: 0..<changed.count, using: &random)] ^= 0xFF
            let file = place("damaged\(round).webm")
            try changed.write(to: file)
            _ = try? await MediaInformation(of: file)
            try? await MediaChanges.giveDuration(to: file, in: place("out\(round).webm"))
        }
    }
}
