import CoreDataPhotoLibrary
import CoreDataPictures
import Foundation
import ProgramKit
import TestBasics
import Testing

/// A folder of pictures that tests make, and its library.
final class PhotoFolder {
    static let vips = HelperProgram("vips", package: "libvips-tools")
    static let ffmpeg = HelperProgram("ffmpeg", package: "ffmpeg")
    static let exiftool = HelperProgram("exiftool", package: "libimage-exiftool-perl")
    static let isPossible = [vips, ffmpeg, exiftool].allSatisfy { $0.url != nil }
    static let missing: Comment = "the packages libvips-tools, ffmpeg and libimage-exiftool-perl are not all installed"

    private let temporary: TemporaryFolder
    let url: URL
    let library: PHPhotoLibrary

    init(authorizer: any PhotoLibraryAuthorizer = FileSystemAuthorizer()) throws {
        temporary = try TemporaryFolder()
        url = temporary.url.appendingPathComponent("Pictures")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        library = try Self.library(temporary.url, authorizer)
    }

    private static func library(_ folder: URL, _ authorizer: any PhotoLibraryAuthorizer) throws -> PHPhotoLibrary {
        try PHPhotoLibrary(
            folder: folder.appendingPathComponent("Pictures"), store: folder.appendingPathComponent("Library.sqlite"),
            thumbnails: ThumbnailMaker(cache: ThumbnailCache(folder: folder.appendingPathComponent("cache"))),
            authorizer: authorizer)
    }

    /// The library as another process would open it.
    func reopened() throws -> PHPhotoLibrary { try Self.library(temporary.url, FileSystemAuthorizer()) }

    /// Makes a picture; another shade is other content.
    @discardableResult
    func picture(_ name: String, width: Int = 120, height: Int = 80, shade: Int = 0, tags: [String] = []) throws -> URL
    {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try run(
            Self.ffmpeg,
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
                "color=0x\(String(1_200_000 + shade * 977, radix: 16)):size=\(width)x\(height)", "-frames:v", "1",
                file.path,
            ])
        if !tags.isEmpty {
            try run(Self.exiftool, ["-q", "-q", "-overwrite_original"] + tags.map { "-\($0)" } + [file.path])
        }
        return file
    }

    func film(_ name: String, seconds: Double) throws {
        try run(
            Self.ffmpeg,
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=160x90:duration=\(seconds)",
                url.appendingPathComponent(name).path,
            ])
    }

    private func run(_ program: HelperProgram, _ arguments: [String]) throws {
        let output = try program.run(arguments, folder: temporary.url)
        try #require(output.status == 0, "\(program.name): \(output.standardError)")
    }

    /// The names of the files of a result.
    static func names(_ result: PHFetchResult<PHAsset>) -> [String] { result.map(\.url.lastPathComponent) }
}
