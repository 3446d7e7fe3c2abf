import CoreDataMedia
import Foundation
import ProgramKit
import TestBasics
import Testing

@Suite("Hostile files and names", .enabled(if: MediaTools.areThere, MediaTools.comment))
struct HostileFileTests {
    @Test(
        "MEDIA-01: names with line breaks, signs of options and patterns, or bytes outside UTF-8 are read as all others"
    )
    func hostileNamesAreRead() throws {
        let bench = try LibraryBench()
        let plain = bench.temporary.url.appendingPathComponent("plain.mp3")
        try MediaTools.sound(plain, tags: ["title": "Found"])
        let texts = [
            "new\nline.mp3", "-dash.mp3", "#hash.mp3", "per%d.mp3", "am&p\"q<'.mp3", "tail .mp3", "e\u{301}.mp3",
            "\u{e9}.mp3",
            "@file.mp3", "$(touch x).mp3", "http:\\x.mp3",
        ]
        var names: [[UInt8]] = texts.map { Array($0.utf8) }
        for last in [0xfe, 0xfd] as [UInt8] { names.append([0x62, 0xff, last] + Array(".mp3".utf8)) }
        for name in names {
            let path = Array(bench.folder.path.utf8) + [UInt8(ascii: "/")] + name + [0]
            let linked = path.withUnsafeBufferPointer { buffer in
                buffer.withMemoryRebound(to: CChar.self) { $0.baseAddress.map { link(plain.path, $0) } ?? -1 }
            }
            try #require(linked == 0)
        }
        let report = try bench.scan()
        #expect(report.added == names.count && report.problems.isEmpty)
        let context = bench.library.newBackgroundContext()
        try context.performAndWait {
            let rows = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "MediaItem"))
            #expect(rows.count == names.count)
            #expect(rows.allSatisfy { $0.value(forKey: "title") as? String == "Found" })
            #expect(Set(rows.map { $0.value(forKey: "persistentID") as? Int64 }).count == names.count)
        }
        #expect(try bench.scan().unchanged == names.count)
    }

    @Test("MEDIA-01: a loop of links ends, and a link to a file is a file")
    func loopsOfLinksEnd() throws {
        let bench = try LibraryBench()
        try FileManager.default.createDirectory(at: bench.url("sub"), withIntermediateDirectories: true)
        try MediaTools.sound(bench.url("sub/a.mp3"))
        try FileManager.default.createSymbolicLink(at: bench.url("sub/loop"), withDestinationURL: bench.folder)
        try FileManager.default.createSymbolicLink(at: bench.url("other"), withDestinationURL: bench.url("sub"))
        try FileManager.default.createSymbolicLink(
            at: bench.url("link.mp3"), withDestinationURL: bench.url("sub/a.mp3"))
        try FileManager.default.createSymbolicLink(
            at: bench.url("gone.mp3"), withDestinationURL: bench.url("nothing.mp3"))
        #expect(mkfifo(bench.url("pipe.mp3").path, 0o600) == 0)
        let report = try bench.scan()
        #expect(report.files == 2 && report.added == 2)
    }

    @Test("A playlist disguised as a film asks for nothing, and is a problem")
    func disguisedPlaylistsAreRefused() throws {
        let bench = try LibraryBench()
        let secret = bench.temporary.url.appendingPathComponent("secret.ts")
        try MediaTools.film(secret, options: ["-f", "mpegts"])
        let list =
            "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile://\(secret.path)\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n#EXT-X-ENDLIST\n"
        for name in ["film.mp4", "film.mkv", "song.mp3"] { try Data(list.utf8).write(to: bench.url(name)) }
        try Data("ffconcat version 1.0\nfile '\(secret.path)'\n".utf8).write(to: bench.url("concat.avi"))
        let report = try bench.scan()
        #expect(report.added == 4 && report.problemCount == 4)
        for (name, row) in try bench.rows() {
            #expect(
                row["problem"] as? String != nil && row["playbackDuration"] == nil && row["width"] == nil, "\(name)")
        }
    }

    @Test("Empty, short and random files are problems of their own, and the rest of the folder is read")
    func damagedFilesAreProblems() throws {
        let bench = try LibraryBench()
        try MediaTools.sound(bench.url("good.flac"))
        try Data().write(to: bench.url("empty.mp3"))
        try Data([0]).write(to: bench.url("short.ogg"))
        try Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 37) }).write(to: bench.url("random.mp4"))
        let whole = try Data(contentsOf: bench.url("good.flac"))
        try whole.prefix(20).write(to: bench.url("cut.flac"))
        let report = try bench.scan()
        #expect(report.added == 5)
        #expect(Set(report.problems.map(\.path)) == ["empty.mp3", "short.ogg", "random.mp4", "cut.flac"])
        #expect(try bench.rows()["good.flac"]?["problem"] == nil)
        #expect(try bench.scan().unchanged == 5)
    }

    @Test("MEDIA-01: a folder that is not there leaves the rows as they are")
    func missingFolderIsRefused() throws {
        let bench = try LibraryBench()
        try MediaTools.sound(bench.url("a.mp3"))
        try bench.scan()
        let away = bench.temporary.url.appendingPathComponent("Away")
        try FileManager.default.moveItem(at: bench.folder, to: away)
        let error = #expect(throws: MediaLibraryError.self) { try bench.scan() }
        #expect(error?.code == .folderUnavailable)
        #expect(try bench.rows()["a.mp3"]?["isAvailable"] as? Bool == true)
    }

    @Test("MEDIA-01: a cancelled scan ends with an error, and the next one goes on")
    func cancelledScansGoOn() throws {
        let bench = try LibraryBench()
        try MediaTools.sound(bench.url("a.mp3"))
        let progress = Progress(totalUnitCount: 1)
        progress.cancel()
        #expect(throws: CancellationError.self) { try bench.library.scanAndWait(bench.folder, progress: progress) }
        #expect(try bench.rows().isEmpty)
        #expect(try bench.scan().added == 1)
    }
}
