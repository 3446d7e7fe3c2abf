import CoreDataPictures
import Foundation
import TestBasics
import Testing
import UniformTypeIdentifiers

@Suite("Sizes and types of pictures", .enabled(if: TestPictures.isPossible, TestPictures.missing))
struct PicturePropertiesTests {
    private static let formats: [(String, UTType)] = [
        ("a.png", .png), ("a.jpg", .jpeg), ("a.gif", .gif), ("a.webp", .webP), ("b.webp[lossless]", .webP),
        ("a.tif", .tiff), ("a.heic", .heic), ("a.avif", .avif),
    ]

    @Test("MEDIA-13: the header of each format says type and size, in memory and in a file")
    func headersSayTypeAndSize() throws {
        let folder = try TemporaryFolder()
        for (name, type) in Self.formats {
            var file = try TestPictures.make(name, in: folder.url)
            if name.contains("[") { file = folder.url.appendingPathComponent("b.webp") }
            let found = try PictureProperties(contentsOf: file)
            #expect(found.type == type && found.size == PixelSize(width: 400, height: 200), "\(name): \(found)")
            let data = try Data(contentsOf: file)
            #expect(try PictureProperties(data) == found)
            #expect(try PictureProperties((Data([1]) + data).dropFirst()) == found, "a slice is read from its start")
        }
        let bitmap = folder.url.appendingPathComponent("a.bmp")
        try TestPictures.run(
            TestPictures.ffmpeg,
            ["-nostdin", "-v", "error", "-i", folder.url.appendingPathComponent("a.png").path, bitmap.path],
            in: folder.url)
        #expect(try PictureProperties(contentsOf: bitmap).size == PixelSize(width: 400, height: 200))
    }

    @Test("MEDIA-13: a turn counts in JPEG, TIFF, PNG and WebP, and that of EXIF not in HEIC and AVIF")
    func turnsCount() throws {
        let folder = try TemporaryFolder()
        for (name, isTurned) in [
            ("a.jpg", true), ("a.tif", true), ("a.png", true), ("a.heic", false), ("a.avif", false),
        ] {
            let file = try TestPictures.make(name, in: folder.url)
            try TestPictures.tag(file, ["Orientation#=6"])
            let found = try PictureProperties(contentsOf: file)
            #expect(found.size == PixelSize(width: isTurned ? 200 : 400, height: isTurned ? 400 : 200), "\(name)")
            #expect(found.orientation == (isTurned ? 6 : 1), "\(name)")
        }
    }

    @Test("MEDIA-13: damaged headers are refused and never stop the program")
    func damagedHeadersAreRefused() throws {
        let folder = try TemporaryFolder()
        var random = SeededRandom(seed: TestSeed.first)
        for (name, _) in Self.formats where !name.contains("[") {
            let file = try TestPictures.make(name, in: folder.url)
            if name.hasSuffix("jpg") { try TestPictures.tag(file, ["Orientation#=8"]) }
            let data = try Data(contentsOf: file)
            var refused = 0
            for count in 0..<min(data.count, 700) where (try? PictureProperties(data.prefix(count))) == nil {
                refused += 1
            }
            #expect(refused > 9, "\(name)")
            for _ in 0..<500 {
                var changed = data
                for _ in 0..<8 {
                    changed[Int.random(in: 0..<min(data.count, 900), using: &random)] = .random(
                        in: 0...255, using: &random)
                }
                if let found = try? PictureProperties(changed) {
                    #expect(found.size.width > 0 && found.size.height > 0 && (1...8).contains(found.orientation))
                }
            }
        }
        for text in ["", "no picture", "<svg xmlns='http://www.w3.org/2000/svg'/>", "%PDF-1.4"] {
            let error = #expect(throws: PictureFileError.self) { try PictureProperties(Data(text.utf8)) }
            #expect(error?.code == .unknownType, "\(text)")
        }
        let missing = #expect(throws: PictureFileError.self) {
            try PictureProperties(contentsOf: folder.url.appendingPathComponent("none.jpg"))
        }
        #expect(missing?.code == .unreadable)
    }

    @Test("MEDIA-13: a size is fitted without distortion and never enlarged")
    func sizesAreFitted() {
        let wide = PixelSize(width: 4_000, height: 3_000)
        #expect(wide.fitted(into: PixelSize(width: 400, height: 400)) == PixelSize(width: 400, height: 300))
        #expect(wide.fitted(into: PixelSize(width: 9_000, height: 9_000)) == wide)
        #expect(
            PixelSize(width: 10_000, height: 1).fitted(into: PixelSize(width: 10, height: 10))
                == PixelSize(width: 10, height: 1))
        #expect(PixelSize(width: .max, height: 2).count == .max)
    }
}
