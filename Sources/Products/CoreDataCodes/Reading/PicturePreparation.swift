import CoreDataPictures
import Foundation
import ProgramKit
import UniformTypeIdentifiers

/// A picture in a folder of its own, made so that codes are found in it.
struct PicturePreparation {
    private let picture: Data
    private let pixelLimit: Int
    private let properties: PictureProperties?

    /// The longer side in pixels that a picture is reduced to: a code of 177 modules over a third of it still has six pixels a module.
    private static let longestSide = 3_000
    private static let vips = HelperProgram("vips", package: "libvips-tools")
    private static let vipsHeader = HelperProgram("vipsheader", package: "libvips-tools")

    init(_ picture: Data, byteLimit: Int, pixelLimit: Int) {
        self.picture = picture
        self.pixelLimit = pixelLimit
        properties = try? PictureProperties(picture)
    }

    /// What is found in the picture, or else in its negative.
    func firstResult<Result>(_ read: (URL) async throws -> [Result]) async throws -> [Result] {
        if let size = properties?.size { try check(size.width, size.height) }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("codes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let original = folder.appendingPathComponent("picture.\(properties?.type.preferredFilenameExtension ?? "bin")")
        try picture.write(to: original)
        guard Self.vips.url != nil, Self.vipsHeader.url != nil else {
            guard let type = properties?.type, [.png, .jpeg, .gif].contains(type) else {
                throw CodeError(
                    .unreadablePicture, "the picture is no PNG, JPEG or GIF",
                    hint: "for other formats install libvips-tools")
            }
            return try await read(original)
        }
        let grey = try await greyOnWhite(original, in: folder)
        let found = try await read(grey)
        guard found.isEmpty else { return found }
        let negative = folder.appendingPathComponent("negative.png")
        try await vips(["invert", grey.path, negative.path])
        return try await read(negative)
    }

    private func check(_ width: Int, _ height: Int) throws {
        let (pixels, isOver) = width.multipliedReportingOverflow(by: height)
        guard !isOver, pixels <= pixelLimit else {
            throw CodeError(
                .pictureTooLarge, "the picture has \(width) x \(height) pixels, more than \(pixelLimit) in all",
                hint: "give a smaller picture")
        }
    }

    /// The picture upright, reduced, without transparency and colours.
    private func greyOnWhite(_ original: URL, in folder: URL) async throws -> URL {
        if properties == nil {
            guard let (width, height, _) = try await shape(original) else { throw Self.unreadable }
            try check(width, height)
        }
        let (small, flat, grey) = (
            folder.appendingPathComponent("small.png"), folder.appendingPathComponent("flat.png"),
            folder.appendingPathComponent("grey.png")
        )
        let side = String(Self.longestSide)
        try await vips([
            "thumbnail", original.path, small.path, side, "--height", side, "--size", "down", "--fail-on", "truncated",
        ])
        // 'flatten' takes the last of three bands for transparency too.
        let isTransparent = try await shape(small).map { $0.bands.isMultiple(of: 2) } ?? false
        if isTransparent { try await vips(["flatten", small.path, flat.path, "--background", "255"]) }
        try await vips(["colourspace", isTransparent ? flat.path : small.path, grey.path, "b-w"])
        return grey
    }

    /// The width, the height and the count of bands; nil for what is no picture.
    private func shape(_ file: URL) async throws -> (width: Int, height: Int, bands: Int)? {
        let said = try await Self.vipsHeader.output([file.path], environment: Self.environment, limits: Self.limits)
        guard said.status == 0, let match = said.text.firstMatch(of: #/: (\d{1,9})x(\d{1,9}) \w+, (\d{1,4}) band/#),
            let width = Int(match.output.1), let height = Int(match.output.2), let bands = Int(match.output.3)
        else { return nil }
        return (width, height, bands)
    }

    private func vips(_ arguments: [String]) async throws {
        let output = try await Self.vips.output(arguments, environment: Self.environment, limits: Self.limits)
        guard output.status == 0 else { throw Self.unreadable }
    }

    private static let unreadable = CodeError(
        .unreadablePicture, "the picture cannot be decoded", hint: "give a picture that is complete")
    private static let environment = ["VIPS_BLOCK_UNTRUSTED": "1", "VIPS_CONCURRENCY": "1"]
    private static let limits = ProgramLimits(
        seconds: 20, processorSeconds: 20, memory: 2 << 30, output: 1 << 20, fileSize: 64 << 20)
}
