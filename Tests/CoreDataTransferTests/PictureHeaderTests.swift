import CoreDataTransfer
import Foundation
import TestBasics
import Testing

@Suite struct PictureHeaderTests {
    private static let pictures: [(Data, PictureFormat)] = [
        (TestPicture.png(640, 480), .png), (TestPicture.gif(640, 480), .gif), (TestPicture.jpeg(640, 480), .jpeg),
        (TestPicture.jpeg(640, 480, frame: 0xC0), .jpeg), (TestPicture.webp(640, 480), .webp),
        (TestPicture.losslessWebP(640, 480), .webp), (TestPicture.extendedWebP(640, 480), .webp),
        (TestPicture.avif([(640, 480)]), .avif), (TestPicture.avif([(64, 48), (640, 480), (320, 240)]), .avif),
        (TestPicture.avif([(640, 480)], brand: "avis"), .avif),
        (TestPicture.avif([(640, 480)]) { _ in [0, 0, 0, 0] + Array("meta".utf8) }, .avif),
        (
            TestPicture.avif([(640, 480)]) {
                [0, 0, 0, 1] + Array("meta".utf8) + [0, 0, 0, 0] + TestPicture.big4($0 + 16)
            }, .avif
        ),
    ]

    @Test("format and size in pixels are read from the first bytes (WEB-11)")
    func sizes() throws {
        for (number, (data, format)) in Self.pictures.enumerated() {
            let header = try PictureHeader(data)
            #expect(header.format == format && header.width == 640 && header.height == 480, "\(number)")
            // Also of a part of other bytes, whose indices begin elsewhere.
            #expect(try PictureHeader((Data([1, 2, 3]) + data).dropFirst(3)) == header)
        }
    }

    @Test("cut off and changed pictures are refused or have a size, and never trap (WEB-11)")
    func damaged() throws {
        var random = SeededRandom(seed: 11)
        var refused = 0
        for (data, _) in Self.pictures {
            for count in 0..<data.count where (try? PictureHeader(data.prefix(count))) == nil { refused += 1 }
            for _ in 0..<2_000 {
                var changed = data
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let place = Int.random(in: 0..<changed.count, using: &random)
                    changed[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
                }
                if let header = try? PictureHeader(changed) { #expect(header.width > 0 && header.height > 0) }
            }
        }
        #expect(refused > 200)
    }

    @Test("pages, drawings, other media and pictures without pixels are refused (WEB-11)")
    func others() {
        let wrong: [Data] = [
            Data(), Data("<html>".utf8), Data("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), TestPicture.png(0, 5),
            TestPicture.gif(5, 0), TestPicture.avif([(0, 3)]), TestPicture.avif([]),
            TestPicture.avif([(1, 1)], brand: "heic"),
            Data([0xFF, 0xD8, 0xFF, 0xDA, 0, 2]), Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 0]), Data("RIFF    WAVEfmt ".utf8),
        ]
        for data in wrong {
            #expect(throws: PictureError(code: .unknownFormat, url: nil)) { try PictureHeader(data) }
        }
    }
}
