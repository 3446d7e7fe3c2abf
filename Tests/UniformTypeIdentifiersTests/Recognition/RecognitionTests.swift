import Foundation
import TestBasics
import Testing
import UniformTypeIdentifiers

@Suite("Recognition by first bytes")
struct RecognitionTests {
    /// A box of MPEG-4.
    private func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let size = content.count + 8
        return [UInt8(size >> 24 & 255), UInt8(size >> 16 & 255), UInt8(size >> 8 & 255), UInt8(size & 255)]
            + Array(name.utf8)
            + content
    }

    private func movie(brand: String, tracks: [String], before: [UInt8] = []) -> Data {
        let all = tracks.flatMap { kind in
            box("trak", box("mdia", box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array(kind.utf8) + [0, 0, 0, 0])))
        }
        return Data(box("ftyp", Array(brand.utf8) + [0, 0, 0, 0]) + before + box("moov", all))
    }

    /// A WebM or Matroska file with tracks of kinds: 1 is pictures, 2 sound.
    private func matroska(_ documentKind: String, tracks: [UInt8]) -> Data {
        func element(_ name: [UInt8], _ content: [UInt8]) -> [UInt8] { name + [0x80 | UInt8(content.count)] + content }
        let head = element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array(documentKind.utf8)))
        let entries = tracks.flatMap { element([0xAE], element([0xD7], [1]) + element([0x83], [$0])) }
        // A segment of a size that is not known, as live recordings have.
        return Data(
            head + [0x18, 0x53, 0x80, 0x67, 0x01] + [UInt8](repeating: 0xFF, count: 7)
                + element([0x16, 0x54, 0xAE, 0x6B], entries))
    }

    @Test("MSG-06: MPEG-4 with sound alone is sound, also where the list of tracks lies behind 20 MB")
    func audioOnlyMPEG4IsAudio() throws {
        #expect(UTType(recognizing: movie(brand: "isom", tracks: ["soun"])) == .mpeg4Audio)
        #expect(UTType(recognizing: movie(brand: "isom", tracks: ["vide", "soun"])) == .mpeg4Movie)
        #expect(UTType(recognizing: movie(brand: "M4A ", tracks: ["soun"])) == .m4a)
        #expect(UTType(recognizing: movie(brand: "qt  ", tracks: ["vide"])) == .quickTimeMovie)
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("sound.mp4")
        try movie(brand: "mp42", tracks: ["soun"], before: box("mdat", [UInt8](repeating: 7, count: 20_000_000))).write(
            to: file)
        #expect(try UTType(recognizing: file) == .mpeg4Audio)
    }

    @Test("MSG-06: WebM and Matroska with sound alone are sound")
    func audioOnlyWebMIsAudio() {
        #expect(UTType(recognizing: matroska("webm", tracks: [2])) == .webMAudio)
        #expect(UTType(recognizing: matroska("webm", tracks: [1, 2])) == .webM)
        #expect(UTType(recognizing: matroska("matroska", tracks: [2])) == .matroskaAudio)
        #expect(UTType(recognizing: matroska("other", tracks: [1])) == nil)
    }

    @Test("MSG-06: texts are recognized by their beginnings")
    func textsAreRecognized() {
        func type(_ text: String) -> UTType? { UTType(recognizing: Data(text.utf8)) }
        #expect(type("<?xml version=\"1.0\"?>\n<!-- a > b -->\n<gpx version=\"1.1\">") == .gpx)
        #expect(type("\u{FEFF}<?xml version=\"1.0\"?><a/>") == .xml)
        #expect(type("<!DOCTYPE html><title>x</title>") == .html)
        #expect(type("<svg xmlns=\"http://www.w3.org/2000/svg\"/>") == .svg)
        #expect(type("<?xml version=\"1.0\"?><!DOCTYPE plist PUBLIC \"a\"><plist>") == .xmlPropertyList)
        #expect(type("BEGIN:VCARD\r\nVERSION:4.0") == .vCard && type("begin:vcalendar\n") == .calendar)
        #expect(
            type("< 5") == nil && type("hello") == nil && type("") == nil && type("BMW is a car, not a picture") == nil)
        #expect(type("<") == nil && type("<!--") == nil && type("<?xml") == .xml)
    }

    @Test(
        "MSG-06: pictures, sound, archives and documents are recognized",
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], UTType.png), ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
            (Array("RIFF....WEBPVP8 ".utf8), .webP), ([0x49, 0x49, 0x2A, 0], .tiff), ([0xFF, 0xFB, 0x90, 0x64], .mp3),
            ([0xFF, 0xF1, 0x50, 0x80], .aac), (Array("%PDF-1.7".utf8), .pdf), ([0x50, 0x4B, 3, 4, 0], .zip),
            ([0x1F, 0x8B, 8, 0], .gzip), (Array("SQLite format 3\0".utf8), .sqlite), (Array("fLaC".utf8), .flac),
            ([UInt8](repeating: 0, count: 257) + Array("ustar\0".utf8), .tarArchive),
        ] as [([UInt8], UTType)])
    func bytesAreRecognized(bytes: [UInt8], type: UTType) {
        #expect(UTType(recognizing: Data(bytes)) == type)
    }

    @Test("MSG-06: first bytes go before names, and a name only refines what they say")
    func namesRefine() {
        let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(UTType(recognizing: png, filenameExtension: "jpg") == .png)
        let zip = Data([0x50, 0x4B, 3, 4])
        #expect(
            UTType(recognizing: zip, filenameExtension: "docx")?.identifier
                == "org.openxmlformats.wordprocessingml.document")
        #expect(UTType(recognizing: zip, filenameExtension: "png") == .zip)
        #expect(UTType(recognizing: Data("SQLite format 3\0".utf8), filenameExtension: "mbtiles") == .mbTiles)
        #expect(UTType(recognizing: Data("a,b".utf8), filenameExtension: "csv") == .commaSeparatedText)
        #expect(UTType(recognizing: Data("a,b".utf8), filenameExtension: "unknown-thing") == nil)
    }

    @Test("MSG-06: cut and damaged files never stop the program")
    func damagedBytesAreSurvived() {
        var random = SeededRandom(seed: TestSeed.first)
        let files = [
            movie(brand: "isom", tracks: ["vide", "soun"]), matroska("webm", tracks: [1, 2]),
            movie(brand: "mif1", tracks: []),
        ]
        for file in files {
            for end in 0...file.count { _ = UTType(recognizing: file.prefix(end)) }
            for _ in 0..<2_000 {
                var damaged = file
                for _ in 0..<4 {
                    damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(
                        in: 0...255, using: &random)
                }
                _ = UTType(recognizing: damaged)
            }
        }
        // A slice whose indices do not begin at 0, and boxes within themselves.
        #expect(UTType(recognizing: (Data([1, 2, 3]) + files[0]).dropFirst(3)) == .mpeg4Movie)
        let endless = Data(
            box("ftyp", Array("isom".utf8) + [0, 0, 0, 0]) + (0..<5_000).flatMap { _ in box("free", []) })
        #expect(UTType(recognizing: endless) == .mpeg4Movie)
    }
}
