import CoreDataPictures
import Foundation
import ProgramKit
import TestBasics
import Testing

/// Pictures that tests make with vips, ffmpeg and exiftool.
enum TestPictures {
    static let vips = HelperProgram("vips", package: "libvips-tools")
    static let ffmpeg = HelperProgram("ffmpeg", package: "ffmpeg")
    static let exiftool = HelperProgram("exiftool", package: "libimage-exiftool-perl")

    static let isPossible = [vips, ffmpeg, exiftool].allSatisfy { $0.url != nil }
    static let missing: Comment = "the packages libvips-tools, ffmpeg and libimage-exiftool-perl are not all installed"

    /// Runs a program, which is expected to succeed.
    static func run(_ program: HelperProgram, _ arguments: [String], in folder: URL) throws {
        let output = try program.run(arguments, folder: folder)
        try #require(output.status == 0, "\(program.name) \(arguments): \(output.standardError)")
    }

    /// A test picture, 400 × 200 unless said otherwise, written by vips in the format of the name's extension.
    static func make(_ name: String, width: Int = 400, height: Int = 200, in folder: URL) throws -> URL {
        let source = folder.appendingPathComponent("source-\(width)x\(height).png")
        if !FileManager.default.fileExists(atPath: source.path) {
            try run(
                ffmpeg,
                [
                    "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=\(width)x\(height)", "-frames:v", "1",
                    source.path,
                ], in: folder)
        }
        let file = folder.appendingPathComponent(name)
        try run(vips, ["copy", source.path, file.path], in: folder)
        return file
    }

    /// Writes tags into a file, as `Orientation#=6`.
    static func tag(_ file: URL, _ tags: [String]) throws {
        try run(
            exiftool, ["-q", "-q", "-overwrite_original"] + tags.map { "-\($0)" } + [file.path],
            in: file.deletingLastPathComponent())
    }

    /// What exiftool finds in a file.
    static func tags(of data: Data) throws -> String {
        try exiftool.run(["-a", "-G1", "-s", "-"], input: data).text
    }

    /// The bands of the pixel at a place, from 0 to 255.
    static func pixel(_ data: Data, _ x: Int, _ y: Int) throws -> [Int] {
        let folder = try TemporaryFolder()
        try data.write(to: folder.url.appendingPathComponent("p"))
        let output = try vips.run(["getpoint", "p", String(x), String(y)], folder: folder.url)
        return output.text.split(separator: " ").compactMap { Double($0).map { Int($0.rounded()) } }
    }
}
