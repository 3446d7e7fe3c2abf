import CoreDataCodes
import Foundation
import ProgramKit
import TestBasics
import Testing

/// Codes in pictures, also in those that are turned, inverted, transparent, large, damaged or none.
@Suite(.enabled(if: hasTools, missingTools)) struct CodeReaderTests {
    private let vips = HelperProgram("vips", package: "libvips-tools")

    @Test(
        "CAM-05: the seven kinds are read from pictures",
        arguments: [
            (AVMetadataObject.ObjectType.qr, "QR text", "QR text"), (.code128, "Code 128", "Code 128"),
            (.ean13, "036000291452", "0360002914522"), (.ean13, "4006381333931", "4006381333931"),
            (.ean8, "96385074", "96385074"), (.upce, "01234565", "01234565"),
            (.interleaved2of5, "123456", "123456"), (.aztec, "Aztec", "Aztec"), (.dataMatrix, "Matrix", "Matrix"),
        ])
    func kinds(type: AVMetadataObject.ObjectType, text: String, expected: String) async throws {
        let picture = try await CodeWriter(type: type).matrix(of: text).png(scale: 4)
        let read = try await CodeReader().codes(in: picture)
        #expect(read.map(\.stringValue) == [expected])
        #expect(read.map(\.type) == [type])
        #expect(read.first?.summary == "We read \(expected) from a barcode of type \(type.rawValue)")
    }

    @Test("CAM-05: UPC-A and the EAN-13 with a zero before it are one number of 13 digits")
    func productNumbersAreCompared() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("upc.png")
        let writer = HelperProgram("ZXingWriter", package: "zxing-cpp-tools")
        #expect(try writer.run(["UPC-A", "036000291452", file.path]).status == 0)
        let upc = try await CodeReader().codes(in: Data(contentsOf: file))
        let ean = try await CodeReader().codes(in: CodeWriter(type: .ean13).matrix(of: "0036000291452").png())
        #expect(upc.map(\.stringValue) == ["0036000291452"])
        #expect(ean.map(\.stringValue) == ["0036000291452"])
        #expect(upc.first?.type == .ean13)
    }

    @Test("CAM-05: types that are not listed are ignored")
    func unlistedTypes() async throws {
        let picture = try await CodeWriter(type: .aztec).matrix(of: "ignored").png()
        #expect(try await CodeReader(metadataObjectTypes: [.qr, .ean13]).codes(in: picture).isEmpty)
        #expect(try await CodeReader(metadataObjectTypes: []).codes(in: picture).isEmpty)
        #expect(
            try await CodeReader(metadataObjectTypes: [.init(rawValue: "face")]).codes(in: picture).isEmpty)
        let (first, second) = (
            try await CodeWriter().matrix(of: "one"), try await CodeWriter(type: .code128).matrix(of: "two")
        )
        let both = try joined(first.png(), second.png())
        #expect(Set(try await CodeReader().codes(in: both).map(\.stringValue)) == ["one", "two"])
        #expect(try await CodeReader(metadataObjectTypes: [.code128]).codes(in: both).map(\.stringValue) == ["two"])
    }

    private func joined(_ left: Data, _ right: Data) throws -> Data {
        let folder = try TemporaryFolder()
        let files = ["a.png", "b.png", "c.png"].map { folder.url.appendingPathComponent($0) }
        try left.write(to: files[0])
        try right.write(to: files[1])
        #expect(
            try vips.run([
                "join", files[0].path, files[1].path, files[2].path, "horizontal", "--expand", "--background", "255",
            ]).status == 0)
        return try Data(contentsOf: files[2])
    }

    @Test(
        "CAM-05: white on black, black on transparent, turned and photographed codes are read",
        arguments: [
            ["invert", "IN", "OUT.png"], ["rot", "IN", "OUT.png", "d90"], ["rotate", "IN", "OUT.png", "17"],
            ["gaussblur", "IN", "OUT.jpg", "1.5"], ["resize", "IN", "OUT.webp", "0.4"], ["copy", "IN", "OUT.tif"],
            ["linear", "IN", "OUT.jpg", "0.3", "60"],
        ])
    func changedPictures(command: [String]) async throws {
        let folder = try TemporaryFolder()
        let original = folder.url.appendingPathComponent("code.png")
        try await CodeWriter().matrix(of: "changed 12 °C").png().write(to: original)
        let result = try #require(command.first { $0.hasPrefix("OUT") })
        let changed = folder.url.appendingPathComponent(result)
        let arguments = command.map { $0 == "IN" ? original.path : $0 == result ? changed.path : $0 }
        #expect(try vips.run(arguments).status == 0)
        let read = try await CodeReader().codes(in: Data(contentsOf: changed))
        #expect(read.map(\.stringValue) == ["changed 12 °C"])
    }

    @Test("CAM-05: a code on a transparent ground is read")
    func transparentGround() async throws {
        let folder = try TemporaryFolder()
        let (code, alpha, joined) = (
            folder.url.appendingPathComponent("code.png"), folder.url.appendingPathComponent("alpha.png"),
            folder.url.appendingPathComponent("joined.png")
        )
        try await CodeWriter().matrix(of: "on glass").png().write(to: code)
        // Black everywhere, opaque where the code is dark.
        #expect(try vips.run(["invert", code.path, alpha.path]).status == 0)
        let black = folder.url.appendingPathComponent("black.png")
        #expect(try vips.run(["linear", code.path, black.path, "0", "0", "--uchar"]).status == 0)
        #expect(try vips.run(["bandjoin", "\(black.path) \(alpha.path)", joined.path]).status == 0)
        let header = try HelperProgram("vipsheader", package: "libvips-tools").run(["-f", "bands", joined.path])
        #expect(header.text.hasPrefix("2"))
        #expect(try await CodeReader().codes(in: Data(contentsOf: joined)).map(\.stringValue) == ["on glass"])
    }

    @Test("CAM-05: a picture without a code has none")
    func noCode() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("noise.png")
        #expect(try vips.run(["gaussnoise", file.path, "300", "200"]).status == 0)
        #expect(try await CodeReader().codes(in: Data(contentsOf: file)).isEmpty)
    }

    @Test("CAM-05: pictures that are too large are refused before they are decoded")
    func largePictures() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("large.png")
        #expect(try vips.run(["black", "\(file.path)[bitdepth=1]", "12000", "12000"]).status == 0)
        let data = try Data(contentsOf: file)
        #expect(data.count < 1_000_000)
        let error = await #expect(throws: CodeError.self) { try await CodeReader().codes(in: data) }
        #expect(error?.code == .pictureTooLarge)
        #expect(error?.reason.contains("12000 x 12000") == true)
        let tiff = folder.url.appendingPathComponent("large.tif")
        #expect(try vips.run(["copy", file.path, "\(tiff.path)[compression=deflate]"]).status == 0)
        let second = await #expect(throws: CodeError.self) { try await CodeReader().codes(in: Data(contentsOf: tiff)) }
        #expect(second?.code == .pictureTooLarge)
        var reader = CodeReader()
        reader.byteLimit = 100
        let third = await #expect(throws: CodeError.self) { try await reader.codes(in: data) }
        #expect(third?.code == .pictureTooLarge)
    }

    @Test(
        "CAM-05: other files than pictures are refused",
        arguments: [
            "", "GIF8", "<svg xmlns='http://www.w3.org/2000/svg'><image href='file:///etc/passwd'/></svg>",
            "#EXTM3U\nfile:///etc/passwd\n", "\u{89}PNG",
        ])
    func noPictures(text: String) async {
        let error = await #expect(throws: CodeError.self) { try await CodeReader().codes(in: Data(text.utf8)) }
        #expect(error?.code == .unreadablePicture)
    }

    @Test("CAM-05: truncated and changed pictures end in an error or no code, never in a crash")
    func damagedPictures() async throws {
        let png = try await CodeWriter().matrix(of: "damaged").png(scale: 4)
        for length in [9, 17, 24, 40, png.count / 2] {
            await #expect(throws: CodeError.self, "\(length) bytes") {
                try await CodeReader().codes(in: png.prefix(length))
            }
        }
        var random = SeededRandom(seed: 42)
        for _ in 0..<12 {
            var changed = png
            changed[changed.startIndex + Int.random(in: 8..<png.count, using: &random)] ^= 0x55
            _ = try? await CodeReader().codes(in: changed)
        }
    }

    @Test("CAM-05: a missing program is an error that names the package")
    func missingProgram() throws {
        let missing = ProgramFailure(program: "ZXingReader", package: "zxing-cpp-tools", reason: .missing)
        #expect(missing.description.contains("apt-get install zxing-cpp-tools"))
    }
}
