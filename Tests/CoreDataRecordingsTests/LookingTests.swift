import CoreDataRecordings
import Foundation
import TestBasics
import Testing

/// Posters, waveforms and what files have.
@Suite(.enabled(if: MediaFixture.hasTool, "ffmpeg is not installed")) struct LookingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Red for two seconds, then blue for two, with a key frame every second.
    private func film() throws -> URL {
        try MediaFixture.make(
            "film.mp4", in: folder,
            [
                "-f", "lavfi", "-i", "color=red:size=320x200:rate=10:duration=2", "-f", "lavfi", "-i",
                "color=blue:size=320x200:rate=10:duration=2", "-filter_complex", "[0][1]concat=n=2", "-g", "40",
                "-sc_threshold", "0", "-pix_fmt", "yuv420p", "-c:v", "libx264",
            ])
    }

    /// Red, green and blue of the first pixel of a picture.
    private func color(_ picture: Data) throws -> [UInt8] {
        let (png, raw) = (folder.url.appendingPathComponent("p.png"), folder.url.appendingPathComponent("p.rgb"))
        try picture.write(to: png)
        _ = try Toolchain.output(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-y", "-i", png.path, "-f", "rawvideo", "-pix_fmt", "rgb24", raw.path])
        return Array(try Data(contentsOf: raw).prefix(3))
    }

    @Test("MEDIA-13: each time is answered once, in its order, and those beyond the end with an error")
    func posters() async throws {
        let film = try film()
        let answers = try await Posters().pictures(of: film, at: [3, 0.5, 3, 4.5, -1, .nan, 3.99])
        #expect(answers.map(\.time).map(\.description) == ["3.0", "0.5", "3.0", "4.5", "-1.0", "nan", "3.99"])
        #expect(answers.map { (try? $0.result.get()) != nil } == [true, true, true, false, false, false, true])
        for (place, isRed) in [(0, false), (1, true), (6, false)] {
            let color = try color(answers[place].result.get())
            #expect(isRed ? color[0] > 200 && color[2] < 60 : color[2] > 200 && color[0] < 60, "\(place): \(color)")
        }
        if case .failure(let error) = answers[3].result { #expect(error.code == .badTime) }
    }

    @Test("MEDIA-13: the nearest key frame stands for a time where that is enough, at a size without distortion")
    func keyFrames() async throws {
        let film = try film()
        // The only key frame is the first picture, which is red.
        let answers = try await Posters(accuracy: .keyFrame, longestSide: 160).pictures(of: film, at: [3])
        let picture = try answers[0].result.get()
        #expect(try color(picture)[0] > 200)
        #expect(picture[16..<24] == Data([0, 0, 0, 160, 0, 0, 0, 100]))
        let large = try await Posters(longestSide: 1_000).pictures(of: film, at: [0])
        #expect(try large[0].result.get()[16..<24] == Data([0, 0, 1, 64, 0, 0, 0, 200]))
    }

    @Test("MEDIA-13: a sound has no posters")
    func soundWithoutPosters() async throws {
        let sound = try MediaFixture.tone("a.wav", seconds: 1, in: folder)
        await #expect(throws: RecordingError.self) { try await Posters().pictures(of: sound, at: [0]) }
    }

    @Test("MEDIA-16: a waveform follows the amplitude")
    func waveform() async throws {
        let sound = try MediaFixture.tone("a.flac", seconds: 4, in: folder)
        let peaks = try await Waveform(of: sound, count: 20).peaks
        #expect(peaks.count == 20 && peaks.allSatisfy { (0...1).contains($0) })
        #expect(zip(peaks, peaks.dropFirst()).count { $0 < $1 } >= 17, "\(peaks)")
        let silent = try MediaFixture.make("s.wav", in: folder, ["-f", "lavfi", "-i", "anullsrc", "-t", "1"])
        #expect(try await Waveform(of: silent, count: 5).peaks == [0, 0, 0, 0, 0])
        #expect(try await Waveform(of: silent, count: -3).peaks.count == 1)
    }

    @Test("MEDIA-16: a song with a cover is a sound, and an MP3 without its encoder's header has its true length")
    func informationOfSounds() async throws {
        let cover = try MediaFixture.make(
            "c.png", in: folder, ["-f", "lavfi", "-i", "color=red:size=64x64", "-frames:v", "1"])
        let tone = try MediaFixture.tone("t.wav", seconds: 3, in: folder)
        let song = try MediaFixture.make(
            "a.mp3", in: folder,
            [
                "-i", tone.path, "-i", cover.path, "-map", "0", "-map", "1", "-disposition:v", "attached_pic",
                "-write_xing", "0", "-q:a", "5",
            ])
        let information = try await MediaInformation(of: song)
        #expect(!information.isFilm && information.hasSound && abs(information.duration - 3) < 0.1, "\(information)")
        #expect(information.width == 0)
    }
}
