import CoreDataMedia
import Foundation
import ProgramKit
import TestBasics
import Testing

@Suite("Headers of films", .enabled(if: MediaTools.areThere, MediaTools.comment))
struct MovieHeaderTests {
    /// What `ffprobe` says of a file: the length, and the size of the pictures before turning.
    private func probe(_ url: URL) throws -> (duration: Double?, width: Int?, height: Int?) {
        let output = try HelperProgram("ffprobe", package: "ffmpeg").run([
            "-v", "error", "-show_entries", "format=duration:stream=width,height", "-of", "json", url.path,
        ])
        let report = try JSONSerialization.jsonObject(with: output.standardOutput) as? [String: Any]
        let streams = report?["streams"] as? [[String: Any]] ?? []
        let film = streams.first { $0["width"] != nil }
        let duration = (report?["format"] as? [String: Any])?["duration"] as? String
        return (duration.flatMap(Double.init), film?["width"] as? Int, film?["height"] as? Int)
    }

    private func make(_ folder: URL) throws -> URL {
        let plain = folder.appendingPathComponent("plain.mp4")
        try MediaTools.film(plain, seconds: 1.3, options: ["-g", "4"])
        func copy(_ name: String, _ options: [String], before: [String] = []) throws {
            try MediaTools.ffmpeg(
                before + ["-i", plain.path, "-c", "copy"] + options + [folder.appendingPathComponent(name).path])
        }
        try copy("film.mov", [])
        try copy("half.mov", ["-metadata:s:v", "rotate=180"])
        try copy("quarter.m4v", ["-metadata:s:v", "rotate=270"])
        try copy("cut.mp4", [], before: ["-ss", "0.35"])
        try copy("late.mp4", [], before: ["-itsoffset", "0.5"])
        try copy("fragments.mp4", ["-movflags", "frag_keyframe+empty_moov"])
        try copy("parts.mp4", ["-movflags", "frag_keyframe"])
        try copy("silent.mp4", ["-an"])
        try copy("sound.mp4", ["-vn"])
        try copy("sound.mov", ["-vn"])
        try copy("two.mp4", ["-map", "0:v", "-map", "0:v", "-map", "0:a"])
        return plain
    }

    @Test(
        "MEDIA-02: lengths and sizes of MP4 and QuickTime films are those of ffprobe, also of turned, cut and fragmented ones"
    )
    func headersAgreeWithFFprobe() throws {
        let bench = try LibraryBench()
        _ = try make(bench.folder)
        let report = try bench.scan()
        #expect(report.added == 12 && report.problems.isEmpty)
        for (name, row) in try bench.rows() {
            let probe = try probe(bench.url(name))
            #expect(row["playbackDuration"] as? Double == probe.duration, "\(name)")
            let isTurned = name.hasPrefix("quarter")
            #expect(row["width"] as? Int == (isTurned ? probe.height : probe.width), "\(name)")
            #expect(row["height"] as? Int == (isTurned ? probe.width : probe.height), "\(name)")
            #expect(row["mediaType"] as? Int == (name.hasPrefix("sound") ? 1 : 256), "\(name)")
        }
    }

    @Test("MEDIA-01: films whose headers say all are read without a process for each")
    func plainFilmsNeedNoProbe() throws {
        let bench = try LibraryBench()
        let plain = bench.temporary.url.appendingPathComponent("plain.mp4")
        try MediaTools.film(plain)
        let data = try Data(contentsOf: plain)
        for index in 0..<20 { try (data + Data([UInt8(index)])).write(to: bench.url("\(index).mp4")) }
        // A film that is no film is a problem of its own, by the other program.
        try data.prefix(200).write(to: bench.url("short.mp4"))
        let report = try bench.scan()
        #expect(report.added == 21 && report.problems.map(\.path) == ["short.mp4"])
        let rows = try bench.rows().filter { $0.key != "short.mp4" }
        #expect(
            rows.count == 20
                && rows.values.allSatisfy { $0["width"] as? Int == 64 && $0["playbackDuration"] as? Double == 1 })
    }
}
