import CoreDataCodes
import Foundation
import ProgramKit
import TestBasics
import Testing

let missingTools: Comment = "zxing-cpp-tools and libvips-tools are not installed"
let hasTools = CodeWriter.isAvailable && HelperProgram("vips", package: "libvips-tools").url != nil

/// Codes that are made of texts, and pictures of them.
@Suite(.enabled(if: hasTools, missingTools)) struct CodeWriterTests {
    @Test(
        "CAM-06: a QR code of any text reads as that text",
        arguments: [
            "https://example.org/a?b=c&d=%20", "Grüße bei 12 °C für £5", "x", "1.10", "-5", "日本語のテキスト", "a<U+FC>b\nc",
            " leading and trailing ", "مرحبا", "🧑‍🚀 crew", "semi;colon,\"quoted\"", "c4\u{E4}",
        ])
    func textsReadAsWritten(text: String) async throws {
        let matrix = try await CodeWriter().matrix(of: text)
        let read = try await CodeReader(metadataObjectTypes: [.qr]).codes(in: matrix.png())
        #expect(read.map(\.stringValue) == [text])
        #expect(read.first?.type == .qr)
        #expect(read.first?.corners.count == 4)
    }

    @Test("CAM-06: an enlarged code has pure black and white pixels only, in blocks of the scale")
    func enlargedPixels() async throws {
        let matrix = try await CodeWriter().matrix(of: "enlarged")
        let folder = try TemporaryFolder()
        let (png, raw) = (folder.url.appendingPathComponent("a.png"), folder.url.appendingPathComponent("a.raw"))
        try matrix.png(scale: 7).write(to: png)
        let vips = HelperProgram("vips", package: "libvips-tools")
        #expect(try vips.run(["colourspace", png.path, raw.path, "b-w"]).status == 0)
        let pixels = try Data(contentsOf: raw)
        let side = (matrix.width + 8) * 7
        #expect(pixels.count == side * side)
        #expect(Set(pixels) == [0, 255])
        for row in 0..<side {
            for column in 0..<side {
                let isDark = matrix[column / 7 - 4, row / 7 - 4]
                if pixels[row * side + column] != (isDark ? 0 : 255) {
                    Issue.record("pixel \(column), \(row) is \(pixels[row * side + column])")
                    return
                }
            }
        }
    }

    @Test("CAM-06: a picture in SVG has the title as text and the same modules")
    func vectorPicture() async throws {
        let matrix = try await CodeWriter().matrix(of: "drawn")
        let svg = matrix.svg(title: "<script>&\u{1}")
        #expect(svg.contains("<title>&lt;script&gt;&amp;</title>"))
        #expect(svg.contains("viewBox=\"0 0 \(matrix.width + 8) \(matrix.height + 8)\""))
        // The dark area is the sum of the runs.
        let area = svg.matches(of: #/M\d+ \d+h(\d+)v1h/#).compactMap { Int($0.output.1) }.reduce(0, +)
        var dark = 0
        for row in 0..<matrix.height { for column in 0..<matrix.width where matrix[column, row] { dark += 1 } }
        #expect(area == dark)
    }

    @Test(
        "CAM-06: what a type cannot hold is refused with what it can",
        arguments: [
            (AVMetadataObject.ObjectType.ean13, "4006381333932", "12 digits"), (.ean8, "1234", "7 digits"),
            (.interleaved2of5, "123", "even count"), (.code128, "Grüße", "ASCII"), (.qr, "", "2,900"),
            (.qr, String(repeating: "x", count: 3_000), "2,900"), (.qr, "-margin", "option"),
            (.qr, String(repeating: "x", count: 9_000), "2,900"),
        ])
    func unwritableTexts(type: AVMetadataObject.ObjectType, text: String, hint: String) async throws {
        let error = await #expect(throws: CodeError.self) { try await CodeWriter(type: type).matrix(of: text) }
        #expect(error?.code == .unwritableText)
        #expect(error?.hint.contains(hint) == true)
    }

    @Test("CAM-06: unknown types are refused")
    func unknownType() async {
        let error = await #expect(throws: CodeError.self) {
            try await CodeWriter(type: .init(rawValue: "org.example.Runes")).matrix(of: "x")
        }
        #expect(error?.description.contains("org.example.Runes") == true)
    }

    @Test("CAM-06: a text of 2,000 bytes is held")
    func longText() async throws {
        let text = String(repeating: "Größe ", count: 250)
        let matrix = try await CodeWriter().matrix(of: text)
        let read = try await CodeReader().codes(in: matrix.png(scale: 3))
        #expect(read.map(\.stringValue) == [text])
    }
}
