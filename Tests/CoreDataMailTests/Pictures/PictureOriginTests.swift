import CoreDataMail
import Foundation
import TestBasics
import Testing
import UniformTypeIdentifiers

@Suite("Pictures without their origin", .enabled(if: TestPictures.isThere, "python3-pil is missing"))
struct PictureOriginTests {
    @Test(
        "MSG-07: place, camera, comments and what lies behind a picture go; pixels, profile and turning mark stay",
        arguments: ["a.jpg", "progressive.jpg", "a.png", "a.webp", "a.gif"])
    func originGoes(name: String) throws {
        let pictures = try TestPictures()
        let file = pictures.folder.url.appendingPathComponent(name)
        let before = try TestPictures.look(file)
        #expect(before.secret)
        let cleaned = try PictureOrigin.removed(from: Data(contentsOf: file))
        let new = pictures.folder.url.appendingPathComponent("new-\(name)")
        try cleaned.write(to: new)
        let after = try TestPictures.look(new)
        #expect(!after.secret && after.pixels == before.pixels && after.turning == before.turning)
        #expect(after.tags == (name == "a.gif" ? [] : [0x0112]) && after.format == before.format)
        #expect(after.profile == before.profile && after.loops == before.loops)
        // Once more changes nothing.
        #expect(try PictureOrigin.removed(from: cleaned) == cleaned)
    }

    @Test(
        "MSG-07: damaged pictures are refused or cleaned, and never stop the program",
        arguments: ["a.jpg", "a.png", "a.webp", "a.gif"])
    func damagedPictures(name: String) throws {
        let pictures = try TestPictures()
        let data = try Data(contentsOf: pictures.folder.url.appendingPathComponent(name))
        for end in stride(from: 0, to: data.count, by: max(1, data.count / 300)) {
            _ = try? PictureOrigin.removed(from: data.prefix(end))
        }
        var random = SeededRandom(seed: TestSeed.first)
        for _ in 0..<1_000 {
            var damaged = data
            for _ in 0..<5 {
                damaged[Int.random(in: 0..<min(2_000, damaged.count), using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            _ = try? PictureOrigin.removed(from: damaged)
        }
        #expect(throws: MailError.self) { try PictureOrigin.removed(from: data.prefix(data.count / 2)) }
    }

    @Test("MSG-07: a type that cannot be cleaned here is refused, and other data stays as it is")
    func otherTypes() throws {
        #expect(throws: MailError.self) { try PictureOrigin.removed(from: Data([0x49, 0x49, 0x2A, 0, 8, 0, 0, 0])) }
        #expect(try PictureOrigin.removed(from: Data("text".utf8)) == Data("text".utf8))
        #expect(PictureOrigin.canRemove(from: .jpeg) && !PictureOrigin.canRemove(from: .heic))
    }
}

/// Pictures with origins, and what a program of others sees in a picture.
struct TestPictures {
    struct Look: Decodable {
        var format: String
        var tags: [Int]
        var turning: Int
        var secret, profile, loops: Bool
        var pixels: [String]
    }

    static let isThere = (try? run(["look", "/dev/null"]))?.output.contains("UnidentifiedImageError") == true

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let (code, output) = try Self.run(["make", folder.url.path])
        guard code == 0 else { throw Toolchain.Failure(description: output) }
    }

    static func look(_ file: URL) throws -> Look {
        let (code, output) = try run(["look", file.path])
        guard code == 0 else { throw Toolchain.Failure(description: output) }
        return try JSONDecoder().decode(Look.self, from: Data(output.utf8))
    }

    /// Debian's packages are for the system's own Python.
    private static func run(_ arguments: [String]) throws -> (code: Int32, output: String) {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("pictures.py")
        return try Toolchain.run("env", ["/usr/bin/python3", script.path] + arguments)
    }
}
