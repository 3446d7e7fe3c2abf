import CoreDataPictures
import Foundation
import ProgramKit
import TestBasics
import Testing
import UniformTypeIdentifiers

@Suite("Thumbnails", .enabled(if: TestPictures.isPossible, TestPictures.missing))
struct ThumbnailTests {
    private let folder: TemporaryFolder
    private let maker: ThumbnailMaker

    init() throws {
        folder = try TemporaryFolder()
        maker = ThumbnailMaker(cache: ThumbnailCache(folder: folder.url.appendingPathComponent("cache")))
    }

    private func size(_ side: Int, _ format: ThumbnailOptions.Format = .jpeg) -> ThumbnailOptions {
        ThumbnailOptions(size: PixelSize(width: side, height: side), format: format)
    }

    @Test("MEDIA-13: each format becomes a JPEG of the size, turned as it is shown, never enlarged")
    func formatsBecomeThumbnails() async throws {
        for name in ["a.png", "a.jpg", "a.gif", "a.webp", "a.tif", "a.heic", "a.avif"] {
            let file = try TestPictures.make(name, in: folder.url)
            let thumbnail = try await maker.thumbnail(of: .file(file), size(100))
            let found = try PictureProperties(thumbnail)
            #expect(found.type == .jpeg && found.size == PixelSize(width: 100, height: 50), "\(name)")
            let large = try await maker.thumbnail(of: .file(file), size(1_000))
            #expect(try PictureProperties(large).size == PixelSize(width: 400, height: 200), "\(name)")
        }
    }

    @Test("MEDIA-13: EXIF's turn is applied to JPEG and not to HEIC and AVIF, and place and camera are removed")
    func turnsAreApplied() async throws {
        for (name, isTurned) in [("a.jpg", true), ("a.tif", true), ("a.heic", false), ("a.avif", false)] {
            let file = try TestPictures.make(name, in: folder.url)
            try TestPictures.tag(
                file, ["Orientation#=6", "GPSLatitude=48.1", "GPSLatitudeRef=N", "Make=Canon", "XMP:City=Ulm"])
            for format in [ThumbnailOptions.Format.jpeg, .png] {
                let thumbnail = try await maker.thumbnail(of: .file(file), size(100, format))
                let found = try PictureProperties(thumbnail)
                #expect(
                    found.size == PixelSize(width: isTurned ? 50 : 100, height: isTurned ? 100 : 50), "\(name)")
                #expect(found.orientation == 1)
                let tags = try TestPictures.tags(of: thumbnail)
                for part in ["GPS", "Canon", "Ulm"] { #expect(!tags.contains(part), "\(name) \(format): \(tags)") }
            }
        }
    }

    @Test("MEDIA-13: what is transparent becomes white in JPEG and stays in PNG")
    func transparencyIsKept() async throws {
        let file = folder.url.appendingPathComponent("clear.png")
        try TestPictures.run(
            TestPictures.ffmpeg,
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=red@0.0:size=300x300,format=rgba", "-frames:v",
                "1", file.path,
            ], in: folder.url)
        let white = try await maker.thumbnail(of: .file(file), size(64))
        #expect(try TestPictures.pixel(white, 5, 5).allSatisfy { $0 > 250 })
        let clear = try await maker.thumbnail(of: .file(file), size(64, .png))
        #expect(try TestPictures.pixel(clear, 5, 5).last == 0)
    }

    @Test("MEDIA-13: a filled size has the middle of the picture")
    func filledSizesAreCropped() async throws {
        let file = try TestPictures.make("a.png", in: folder.url)
        let options = ThumbnailOptions(size: PixelSize(width: 90, height: 90), contentMode: .aspectFill)
        let thumbnail = try await maker.thumbnail(of: .file(file), options)
        #expect(try PictureProperties(thumbnail).size == PixelSize(width: 90, height: 90))
    }

    @Test("MEDIA-13: a thumbnail is made once, also when many ask together, and stays for the next process")
    func thumbnailsAreCached() async throws {
        let file = try TestPictures.make("a.jpg", in: folder.url)
        let (maker, options) = (maker, size(80))
        let all = try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<20 { group.addTask { try await maker.thumbnail(of: .file(file), options) } }
            return try await group.reduce(into: Set<Data>()) { $0.insert($1) }
        }
        #expect(all.count == 1)
        let other = ThumbnailMaker(cache: ThumbnailCache(folder: maker.cache.folder))
        let digest = ContentDigest(try Data(contentsOf: file))
        #expect(try other.kept(digest, options) == all.first)
        #expect(try other.kept(digest, size(81)) == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: maker.cache.folder.path)[.posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o700)
    }

    @Test("MEDIA-13: a full cache loses what was not used for longest, and keeps below its limit")
    func fullCachesAreShrunk() async throws {
        let file = try TestPictures.make("a.png", in: folder.url)
        let cache = ThumbnailCache(folder: folder.url.appendingPathComponent("small"), byteLimit: 12_000)
        let maker = ThumbnailMaker(cache: cache)
        let digest = ContentDigest(try Data(contentsOf: file))
        for side in 60..<80 {
            _ = try await maker.thumbnail(of: .file(file), size(side))
            _ = try maker.kept(digest, size(60))
            #expect(cache.byteCount <= 12_000)
        }
        #expect(try maker.kept(digest, size(61)) == nil, "the oldest is gone")
        #expect(try maker.kept(digest, size(79)) != nil)
        cache.removeAll()
        #expect(cache.byteCount == 0)
    }

    @Test("MEDIA-13: a photograph of 50 megapixels has a thumbnail within a third of the usual memory")
    func largePhotographsHaveThumbnails() async throws {
        let file = folder.url.appendingPathComponent("large.jpg")
        try TestPictures.run(
            TestPictures.ffmpeg,
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=8660x5774", "-frames:v", "1", file.path,
            ], in: folder.url)
        var limits = ThumbnailLimits()
        limits.memory = 700 << 20
        let maker = ThumbnailMaker(cache: maker.cache, limits: limits)
        var thumbnail = Data()
        let time = try await ContinuousClock().measure {
            thumbnail = try await maker.thumbnail(of: .file(file), size(256))
        }
        #expect(try PictureProperties(thumbnail).size == PixelSize(width: 256, height: 171))
        print("MEDIA-13: 50 megapixels in \(time)")
    }

    @Test("MEDIA-13: names that programs would read as options or parts are only names")
    func namesAreOnlyNames() async throws {
        let file = try TestPictures.make("a.jpg", in: folder.url)
        for name in ["-o.jpg", "#x.jpg", "a[page=2].jpg", "line\nbreak.jpg", "grüße 'x' $(x).jpg"] {
            let copy = folder.url.appendingPathComponent(name)
            try FileManager.default.copyItem(at: file, to: copy)
            #expect(try await maker.thumbnail(of: .file(copy), size(50)).count > 0)
            if name.hasPrefix("#") { try TestPictures.tag(copy, ["Model=X1"]) }
            #expect(try await PictureDetailsReader().details(of: [copy]).count == 1, "\(name)")
        }
    }
}
