import CoreDataMedia
import Foundation
import TestBasics
import Testing

@Suite("Rows follow their files", .enabled(if: MediaTools.areThere, MediaTools.comment))
struct IdentityTests {
    private let manager = FileManager.default

    @Test("MEDIA-01: a second scan opens nothing and changes nothing")
    func unchangedFilesAreSkipped() throws {
        let bench = try LibraryBench()
        try MediaTools.sound(bench.url("a.flac"))
        try bench.scan()
        let (before, modified) = (try bench.id("a.flac"), bench.library.lastModifiedDate)
        let report = try bench.scan()
        #expect(report.unchanged == 1 && !report.hasChanges)
        #expect(try bench.id("a.flac") == before)
        #expect(bench.library.lastModifiedDate == modified)
    }

    @Test("MEDIA-01: an item keeps its identifier when its file is renamed, moved, copied away or tagged")
    func identifiersSurvive() throws {
        let bench = try LibraryBench()
        for (index, name) in ["renamed", "moved", "copied", "tagged"].enumerated() {
            try MediaTools.sound(bench.url("\(name).mp3"), tags: ["title": name], frequency: 300 + 50 * index)
        }
        try bench.scan()
        var ids: [String: Int64] = [:]
        for name in ["renamed", "moved", "copied", "tagged"] { ids[name] = try bench.id("\(name).mp3") }
        #expect(Set(ids.values).count == 4)
        try manager.moveItem(at: bench.url("renamed.mp3"), to: bench.url("other name.mp3"))
        try manager.createDirectory(at: bench.url("deep/er"), withIntermediateDirectories: true)
        try manager.moveItem(at: bench.url("moved.mp3"), to: bench.url("deep/er/moved.mp3"))
        // A copy has another number, and here another time.
        try Data(contentsOf: bench.url("copied.mp3")).write(to: bench.url("deep/copy.mp3"))
        try manager.removeItem(at: bench.url("copied.mp3"))
        try MediaTools.retag(bench.url("tagged.mp3"), title: "new title")
        let report = try bench.scan()
        #expect(report.moved == 3 && report.changed == 1 && report.added == 0 && report.vanished == 0)
        #expect(try bench.id("other name.mp3") == ids["renamed"])
        #expect(try bench.id("deep/er/moved.mp3") == ids["moved"])
        #expect(try bench.id("deep/copy.mp3") == ids["copied"])
        #expect(try bench.id("tagged.mp3") == ids["tagged"])
        #expect(try bench.rows()["tagged.mp3"]?["title"] as? String == "new title")
    }

    @Test("MEDIA-01: two files that exchange their names keep their rows")
    func exchangedNamesAreFollowed() throws {
        let bench = try LibraryBench()
        try MediaTools.sound(bench.url("a.flac"), tags: ["title": "A"], frequency: 300)
        try MediaTools.sound(bench.url("b.flac"), tags: ["title": "B"], frequency: 500)
        try bench.scan()
        let ids = (try bench.id("a.flac"), try bench.id("b.flac"))
        try manager.moveItem(at: bench.url("a.flac"), to: bench.url("c.flac"))
        try manager.moveItem(at: bench.url("b.flac"), to: bench.url("a.flac"))
        try manager.moveItem(at: bench.url("c.flac"), to: bench.url("b.flac"))
        let report = try bench.scan()
        #expect(report.moved == 2 && report.changed == 0)
        #expect(try bench.id("b.flac") == ids.0)
        #expect(try bench.id("a.flac") == ids.1)
        #expect(try bench.rows()["a.flac"]?["title"] as? String == "B")
    }

    @Test("MEDIA-01: the row of a vanished file stays with its counts, and is available again when the file is")
    func rowsOfVanishedFilesStay() throws {
        let bench = try LibraryBench()
        try MediaTools.sound(bench.url("a.flac"))
        try bench.scan()
        let id = try bench.id("a.flac")
        let context = bench.library.newBackgroundContext()
        try context.performAndWait {
            let row = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "MediaItem")).first)
            row.setValue(7, forKey: "playCount")
            try context.save()
        }
        let away = bench.temporary.url.appendingPathComponent("away.flac")
        try manager.moveItem(at: bench.url("a.flac"), to: away)
        #expect(try bench.scan().vanished == 1)
        #expect(try bench.rows()["a.flac"]?["isAvailable"] as? Bool == false)
        #expect(try bench.scan().vanished == 0)
        try manager.moveItem(at: away, to: bench.url("a.flac"))
        #expect(try bench.scan().returned == 1)
        let row = try #require(try bench.rows()["a.flac"])
        #expect(row["isAvailable"] as? Bool == true && row["playCount"] as? Int == 7)
        #expect(row["persistentID"] as? Int64 == id)
    }

    @Test(
        "MEDIA-01: a file moved to another folder of the library keeps its row, and a library made again has the same identifiers"
    )
    func identifiersAreMadeOfContents() throws {
        let bench = try LibraryBench()
        let other = bench.temporary.url.appendingPathComponent("Other")
        try manager.createDirectory(at: other, withIntermediateDirectories: true)
        try MediaTools.sound(bench.url("a.flac"))
        try Data(contentsOf: bench.url("a.flac")).write(to: bench.url("twin.flac"))
        try bench.scan()
        let ids = (try bench.id("a.flac"), try bench.id("twin.flac"))
        #expect(ids.0 != ids.1)
        try manager.moveItem(at: bench.url("a.flac"), to: other.appendingPathComponent("moved.flac"))
        #expect(try bench.library.scanAndWait(other).moved == 1)
        #expect(try bench.scan().vanished == 0)
        #expect(try bench.id("moved.flac") == ids.0)
        #expect(try bench.id("twin.flac") == ids.1)
        let again = try MPMediaLibrary(storeURL: bench.temporary.url.appendingPathComponent("Again.sqlite"))
        _ = try again.scanAndWait(other)
        let context = again.newBackgroundContext()
        try context.performAndWait {
            let row = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "MediaItem")).first
            #expect(Set([ids.0, ids.1]).contains(row?.value(forKey: "persistentID") as? Int64))
        }
    }

    @Test("MEDIA-01: files are neither written nor touched, and the store's own files are left out")
    func userFilesAreNotWritten() throws {
        let temporary = try TemporaryFolder()
        let library = try MPMediaLibrary(storeURL: temporary.url.appendingPathComponent("Own.mp4"))
        let song = temporary.url.appendingPathComponent("a.mp3")
        try MediaTools.sound(song)
        try manager.createDirectory(
            at: temporary.url.appendingPathComponent("cache"), withIntermediateDirectories: true)
        try MediaTools.sound(temporary.url.appendingPathComponent("cache/b.mp3"))
        try Data("Signature: 8a477f597d28d172789f06886806bc55\n".utf8)
            .write(to: temporary.url.appendingPathComponent("cache/CACHEDIR.TAG"))
        let before = try (
            Data(contentsOf: song), manager.attributesOfItem(atPath: song.path)[.modificationDate] as? Date
        )
        let report = try library.scanAndWait(temporary.url)
        #expect(report.files == 1 && report.added == 1)
        #expect(try Data(contentsOf: song) == before.0)
        #expect(try manager.attributesOfItem(atPath: song.path)[.modificationDate] as? Date == before.1)
        #expect(try manager.contentsOfDirectory(atPath: temporary.url.appendingPathComponent("cache").path).count == 2)
    }
}

extension MediaTools {
    /// Writes a new title into a file.
    static func retag(_ url: URL, title: String) throws {
        let copy = url.deletingLastPathComponent().appendingPathComponent("tagging.\(url.pathExtension)")
        try ffmpeg(["-i", url.path, "-c", "copy", "-metadata", "title=\(title)", copy.path])
        // The contents are written into the same file, as taggers do.
        try Data(contentsOf: copy).write(to: url)
        try FileManager.default.removeItem(at: copy)
    }
}
