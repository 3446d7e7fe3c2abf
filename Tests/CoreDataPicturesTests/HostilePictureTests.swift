import CoreDataPictures
import Foundation
import ProgramKit
import TestBasics
import Testing
import UniformTypeIdentifiers

@Suite("Pictures that cannot be shown", .serialized, .enabled(if: TestPictures.isPossible, TestPictures.missing))
struct HostilePictureTests {
    private let folder: TemporaryFolder
    private let maker: ThumbnailMaker

    init() throws {
        folder = try TemporaryFolder()
        maker = ThumbnailMaker(cache: ThumbnailCache(folder: folder.url.appendingPathComponent("cache")))
    }

    private func failure(_ data: Data, _ maker: ThumbnailMaker? = nil) async throws -> PictureFileError? {
        do {
            _ = try await (maker ?? self.maker).thumbnail(of: .data(data))
            Issue.record("a thumbnail was made")
            return nil
        } catch let error as PictureFileError {
            return error
        }
    }

    @Test("MEDIA-13: a picture of 900 megapixels in few bytes is refused by its header")
    func hugePicturesAreRefused() async throws {
        let file = folder.url.appendingPathComponent("huge.png")
        try TestPictures.run(
            TestPictures.vips, ["black", "\(file.path)[compression=9,bitdepth=1]", "30000", "30000"], in: folder.url)
        let data = try Data(contentsOf: file)
        #expect(data.count < 300_000)
        let error = try await failure(data)
        #expect(error?.code == .tooManyPixels)
        #expect(error?.reason.contains("30000 × 30000") == true)
        #expect(maker.cache.failure(ContentDigest(data))?.code == .tooManyPixels)
    }

    @Test("MEDIA-13: a cut off picture has no thumbnail of its first half")
    func cutOffPicturesAreRefused() async throws {
        for name in ["a.jpg", "a.png", "a.heic"] {
            let data = try Data(contentsOf: TestPictures.make(name, in: folder.url))
            let error = try await failure(data.prefix(data.count * 2 / 3))
            #expect(error?.code == .damaged, "\(name): \(error?.description ?? "")")
        }
    }

    @Test("MEDIA-13: SVG is never decoded, whatever it asks for")
    func documentsAreRefused() async throws {
        let text = """
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">
            <image xlink:href="file:///etc/passwd" width="9" height="9"/></svg>
            """
        #expect(try await failure(Data(text.utf8))?.code == .unknownType)
        // The same behind the mark of a picture reaches libvips, whose loaders take it for damaged.
        #expect(try await failure(Data([0xFF, 0xD8, 0xFF]) + Data(text.utf8))?.code == .damaged)
    }

    /// A maker whose program `vips` is a shell script, run while `PATH` begins with its folder.
    private func withVips(_ script: String, _ work: (ThumbnailMaker) async throws -> Void) async throws {
        let programs = folder.url.appendingPathComponent("bin-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
        let file = programs.appendingPathComponent("vips")
        try Data("#!/bin/sh\necho run >> '\(folder.url.path)/runs'\n\(script)\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        setenv("PATH", programs.path + ":" + path, 1)
        defer { setenv("PATH", path, 1) }
        var limits = ThumbnailLimits()
        limits.seconds = 1
        let cache = ThumbnailCache(folder: folder.url.appendingPathComponent("cache-\(UUID().uuidString)"))
        try await work(ThumbnailMaker(cache: cache, limits: limits))
    }

    private var runs: Int {
        let text = (try? String(contentsOf: folder.url.appendingPathComponent("runs"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").count
    }

    @Test("MEDIA-13: a decoder that crashes or hangs costs one picture and is run for it once")
    func crashesAndHangsCostOnePicture() async throws {
        let data = try Data(contentsOf: TestPictures.make("a.jpg", in: folder.url))
        for script in ["kill -SEGV $$", "exec sleep 60"] {
            let before = runs
            try await withVips(script) { maker in
                for _ in 0..<3 {
                    let error = try await failure(data, maker)
                    #expect(error?.code == .programFailed, "\(error?.description ?? "")")
                }
            }
            #expect(runs == before + 1, "\(script)")
        }
        // The true program makes it afterwards, in the cache of another maker.
        #expect(try await maker.thumbnail(of: .data(data)).count > 0)
    }

    @Test("MEDIA-13: what a failing decoder has written is not shown")
    func partsAreNotShown() async throws {
        let data = try Data(contentsOf: TestPictures.make("a.jpg", in: folder.url))
        try await withVips("cp in out.jpg; echo half-done >&2; exit 1") { maker in
            let error = try await failure(data, maker)
            #expect(error?.code == .damaged && error?.reason.contains("half-done") == true)
        }
        try await withVips("echo nonsense > out.jpg") { maker in
            let error = try await failure(data, maker)
            #expect(error?.code == .damaged)
        }
    }

    @Test("MEDIA-13: without the program the error names its package, and is not remembered")
    func missingProgramsAreNamed() async throws {
        let data = try Data(contentsOf: TestPictures.make("a.jpg", in: folder.url))
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        setenv("PATH", folder.url.path, 1)
        let error = try await failure(data)
        setenv("PATH", path, 1)
        #expect(error?.code == .missingProgram && error?.hint.contains("libvips-tools") == true)
        #expect(try PictureProperties(data).size == PixelSize(width: 400, height: 200))
        #expect(try await maker.thumbnail(of: .data(data)).count > 0)
    }

    @Test("MEDIA-13: a file that vanished is an error of its own, and a large one is not read")
    func vanishedFilesAreErrors() async throws {
        let error = await #expect(throws: PictureFileError.self) {
            try await maker.thumbnail(of: .file(folder.url.appendingPathComponent("gone.jpg")))
        }
        #expect(error?.code == .unreadable)
        var limits = ThumbnailLimits()
        limits.bytes = 1_000
        let strict = ThumbnailMaker(cache: maker.cache, limits: limits)
        let file = try TestPictures.make("a.tif", in: folder.url)
        let large = await #expect(throws: PictureFileError.self) { try await strict.thumbnail(of: .file(file)) }
        #expect(large?.code == .unreadable && large?.reason.contains("1000 bytes") == true)
    }
}
