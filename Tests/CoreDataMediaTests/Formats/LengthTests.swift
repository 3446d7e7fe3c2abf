import CoreDataMedia
import Foundation
import ProgramKit
import TestBasics
import Testing

@Suite("Lengths of sound and film", .enabled(if: MediaTools.areThere, MediaTools.comment))
struct LengthTests {
    private func length(_ name: String, _ make: (URL) throws -> Void) throws -> Double {
        let bench = try LibraryBench()
        try make(bench.url(name))
        try bench.scan()
        return try #require(try bench.rows()[name]?["playbackDuration"] as? Double)
    }

    @Test(
        "MEDIA-02: a sound of 3 s is 3 s long in each format, up to the padding of a codec",
        arguments: ["mp3", "m4a", "flac", "ogg", "opus", "wav", "webm", "mka", "caf", "mp4", "aiff"])
    func soundsHaveTheirLength(_ form: String) throws {
        let seconds = try length("a.\(form)") { try MediaTools.sound($0, seconds: 3) }
        #expect(abs(seconds - 3) < 0.06, "\(seconds)")
    }

    @Test("MEDIA-02: an MP3 of variable rate without a Xing header has the length of its frames")
    func framesAreCountedWithoutHeader() throws {
        let seconds = try length("a.mp3") { url in
            // The first half is silence, so that the rate of the first frames says nothing.
            try MediaTools.ffmpeg([
                "-f", "lavfi", "-i", "aevalsrc=if(lt(t\\,10)\\,0\\,random(0)):d=20", "-c:a", "libmp3lame", "-q:a", "4",
                "-write_xing", "0", url.path,
            ])
        }
        #expect(abs(seconds - 20) < 0.1, "\(seconds)")
    }

    @Test("MEDIA-02: of Matroska the start is subtracted")
    func startOfMatroskaIsSubtracted() throws {
        let seconds = try length("a.mka") { url in
            try MediaTools.ffmpeg([
                "-f", "lavfi", "-i", "sine=duration=2", "-c:a", "libopus", "-output_ts_offset", "5", url.path,
            ])
        }
        #expect(abs(seconds - 2) < 0.1, "\(seconds)")
    }

    @Test("MEDIA-02: a recording without a stated length has that of its packets")
    func recordingsHaveTheLengthOfTheirPackets() throws {
        let seconds = try length("a.webm") { url in
            // A pipe cannot be written again at its beginning, where the length would be.
            let output = try MediaTools.ffmpeg.run([
                "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", "sine=duration=2", "-c:a", "libopus", "-f",
                "webm",
                "pipe:1",
            ])
            try output.standardOutput.write(to: url)
        }
        #expect(abs(seconds - 2) < 0.1, "\(seconds)")
    }

    @Test("A damaged header is never trapped on, whatever byte is changed")
    func damagedHeadersAreRead() throws {
        let bench = try LibraryBench()
        var state = UInt64(42)
        for form in ["mp3", "ogg", "wav", "flac"] {
            let plain = bench.temporary.url.appendingPathComponent("plain.\(form)")
            try MediaTools.sound(plain, seconds: 0.3)
            let data = try Data(contentsOf: plain)
            for index in 0..<12 {
                var damaged = data
                for _ in 0..<20 {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    damaged[Int(state >> 33) % min(200, damaged.count)] = UInt8(truncatingIfNeeded: state >> 20)
                }
                if index.isMultiple(of: 3) { damaged = damaged.prefix(Int(state >> 33) % 100) }
                try damaged.write(to: bench.url("\(form)\(index).\(form)"))
            }
        }
        let report = try bench.scan()
        #expect(report.added == 48)
    }
}
