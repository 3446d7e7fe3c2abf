import CoreDataMedia
import Foundation
import TestBasics
import Testing

@Suite("Folders that are watched", .enabled(if: MediaTools.areThere, MediaTools.comment))
struct WatchTests {
    @Test("MEDIA-01: new, renamed and removed files are noticed, in new folders too")
    func changesAreNoticed() async throws {
        let bench = try LibraryBench()
        try MediaTools.sound(bench.url("a.mp3"))
        let ready = bench.temporary.url.appendingPathComponent("b.mp3")
        try MediaTools.sound(ready, frequency: 600)
        let watch = bench.library.watch(bench.folder) { result in
            if case .failure(let error) = result { Issue.record(error) }
        }
        defer { watch.end() }
        await eventually("the first scan") { (try? bench.rows().count) == 1 }
        #expect(!watch.isPolling)
        try FileManager.default.createDirectory(at: bench.url("new/deep"), withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: ready, to: bench.url("new/deep/b.mp3"))
        await eventually("the new file") { ((try? bench.id("new/deep/b.mp3")) ?? nil) != nil }
        let id = try bench.id("new/deep/b.mp3")
        try FileManager.default.moveItem(at: bench.url("new/deep/b.mp3"), to: bench.url("new/deep/c.mp3"))
        await eventually("the renamed file") { ((try? bench.id("new/deep/c.mp3")) ?? nil) == id }
        try FileManager.default.removeItem(at: bench.url("a.mp3"))
        await eventually("the vanished file") { (try? bench.rows())?["a.mp3"]?["isAvailable"] as? Bool == false }
    }
}
