import CoreData
import CoreDataMedia
import StoreContract
import TestBasics
import Testing

@testable import CoreDataBrowser

@Suite("Files of media libraries in the browser")
struct MediaFilePageTests {
    private let folder: TemporaryFolder
    private let song: URL
    private let stack: Stack
    private let bytes: [UInt8]

    /// A sound of two gigabytes, of which the disk has little.
    init() throws {
        folder = try TemporaryFolder()
        song = folder.url.appendingPathComponent("a.wav")
        let size = 2 << 30
        // One channel of 8 bits, 44,100 times a second.
        let format: [UInt8] = [16, 0, 0, 0, 1, 0, 1, 0, 0x44, 0xac, 0, 0, 0x44, 0xac, 0, 0, 1, 0, 8, 0]
        let data: [UInt8] = [0xd4, 0xff, 0xff, 0x7f]
        bytes =
            Array("RIFF".utf8) + [0xf8, 0xff, 0xff, 0x7f] + Array("WAVEfmt ".utf8) + format + Array("data".utf8) + data
        try Data(bytes).write(to: song)
        let handle = try FileHandle(forWritingTo: song)
        try handle.truncate(atOffset: UInt64(size))
        try handle.seek(toOffset: UInt64(size - 4))
        try handle.write(contentsOf: Data([1, 2, 3, 4]))
        try handle.close()
        stack = try Stack(MPMediaLibrary.managedObjectModel, kind: .sqlite)
        let library = try MPMediaLibrary(coordinator: stack.coordinator)
        _ = try library.scanAndWait(folder.url)
    }

    private let target = "/stores/1/objects/MediaItem/p1/file"

    @Test("MEDIA-12: any place of a file of 2 GB is read by a range, in pieces, and no more of it")
    func rangesAreRead() async throws {
        defer { withExtendedLifetime(stack) {} }
        let answers = BrowserAnswers(stack)
        let size = 2 << 30
        let start = ContinuousClock.now
        let end = await answers.response(target, ["Range": "bytes=\(size - 4)-"])
        #expect(end.status == 206 && end.headers["Content-Range"] == "bytes \(size - 4)-\(size - 1)/\(size)")
        #expect(try await end.body.bytes(limit: 100) == [1, 2, 3, 4])
        print("a range of 2 GB: \(ContinuousClock.now - start)")
        let whole = await answers.response(target)
        #expect(whole.status == 200 && whole.body.count == size && whole.headers["Content-Type"] == "audio/wav")
        #expect(whole.headers["Accept-Ranges"] == "bytes")
        #expect(whole.headers["Content-Security-Policy"]?.hasPrefix("sandbox") == true)
        let first = try #require(try await whole.body.next())
        #expect(first.count == 1 << 20 && Array(first.prefix(bytes.count)) == bytes)
        #expect(await answers.response(target, ["Range": "bytes=\(size)-"]).status == 416)
    }

    @Test("MEDIA-12: a seek to any place of a file of 2 GB reads what was asked for and nothing else")
    func seeksReadTheirRangeAlone() async throws {
        defer { withExtendedLifetime(stack) {} }
        let size = 2 << 30
        let places = (1...9).map { size / 10 * $0 }
        let handle = try FileHandle(forWritingTo: song)
        for place in places {
            try handle.seek(toOffset: UInt64(place))
            try handle.write(contentsOf: Data("at \(place).".utf8))
        }
        try handle.close()
        // The file is another one now.
        _ = try MPMediaLibrary(coordinator: stack.coordinator).scanAndWait(folder.url)
        let answers = BrowserAnswers(stack)
        var worst = Duration.zero
        for place in places {
            let start = ContinuousClock.now
            let answer = await answers.response(target, ["Range": "bytes=\(place)-\(place + 65_535)"])
            #expect(answer.status == 206 && answer.body.count == 65_536)
            #expect(answer.headers["Content-Range"] == "bytes \(place)-\(place + 65_535)/\(size)")
            var read: [UInt8] = []
            while let piece = try await answer.body.next() { read += piece }
            worst = max(worst, ContinuousClock.now - start)
            let mark = Array("at \(place).".utf8)
            #expect(read.count == 65_536 && Array(read.prefix(mark.count)) == mark)
            #expect(read.dropFirst(mark.count).allSatisfy { $0 == 0 })
            // A range without an end, as media elements ask for: a piece at a time, not the rest of the file.
            let open = await answers.response(target, ["Range": "bytes=\(place)-"])
            let first = try #require(try await open.body.next())
            #expect(
                open.body.count == size - place && first.count <= 1 << 20 && Array(first.prefix(mark.count)) == mark)
        }
        print("seek in 2 GB: worst of \(places.count) \(worst)")
    }

    @Test(
        "MEDIA-12: a file that was replaced, is gone, or has no sound is not sent, and neither is one that a row merely names"
    )
    func otherFilesAreNotSent() async throws {
        defer { withExtendedLifetime(stack) {} }
        let answers = BrowserAnswers(stack)
        #expect(await answers.response("/stores/1/objects/MediaItem/p9/file").status == 404)
        #expect(await answers.response("/stores/1/objects/MediaFolder/p1/file").status == 404)
        // A row that names another file.
        let secret = folder.url.appendingPathComponent("secret.wav")
        try Data(bytes + [9]).write(to: secret)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        try await context.perform {
            let row = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "MediaItem")).first
            row?.setValue("secret.wav", forKey: "path")
            try context.save()
        }
        #expect(await answers.response(target).status == 404)
        try await context.perform {
            let row = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "MediaItem")).first
            row?.setValue("a.wav", forKey: "path")
            try context.save()
        }
        #expect(await answers.response(target).status == 200)
        try Data("<html><script>".utf8).write(to: song)
        #expect(await answers.response(target).status == 404)
        try FileManager.default.removeItem(at: song)
        #expect(await answers.response(target).status == 404)
    }
}
