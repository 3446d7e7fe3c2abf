import Foundation
import ProgramKit

/// One thumbnail made by the program `vips`.
///
/// `vips thumbnail` and not `vipsthumbnail`, which ignores that a file is cut off; `strip` is left to JPEG and PNG, since libvips 8.14
/// keeps EXIF with its place in WebP (findings/vips-webp-keeps-exif.sh).
struct ThumbnailRun {
    private let limits: ThumbnailLimits
    private let options: ThumbnailOptions

    init(_ limits: ThumbnailLimits, _ options: ThumbnailOptions) { (self.limits, self.options) = (limits, options) }

    /// - Throws: ``PictureFileError``.
    func thumbnail(of data: Data) async throws -> Data {
        let properties = try PictureProperties(data)
        guard properties.size.count <= limits.pixels else {
            throw PictureFileError.tooManyPixels(properties.size, limit: limits.pixels)
        }
        let folder = try ScratchFolder()
        defer { folder.remove() }
        try folder.write(data, "in")
        let result = folder.url.appendingPathComponent("out.\(options.format.fileExtension)")
        let output: ProgramOutput
        do {
            output = try await ThumbnailMaker.vips.output(
                arguments, folder: folder.url, environment: ["VIPS_BLOCK_UNTRUSTED": "1", "VIPS_CONCURRENCY": "1"],
                limits: ProgramLimits(
                    seconds: limits.seconds, processorSeconds: max(1, Int(limits.seconds)), memory: limits.memory,
                    output: 1 << 16, fileSize: min(max(1 << 20, limits.pixels), 1 << 40) * 4 + 65_536))
        } catch let failure as ProgramFailure {
            throw PictureFileError(failure)
        }
        // What was written before a failure is a part of a picture, and goes with the folder.
        guard output.status == 0 else { throw PictureFileError.damaged(Self.cause(output.standardError)) }
        guard let thumbnail = try? Data(contentsOf: result), (try? PictureProperties(thumbnail)) != nil else {
            throw PictureFileError.damaged("no thumbnail was written")
        }
        return thumbnail
    }

    private var arguments: [String] {
        let saving = options.format == .jpeg ? "out.jpg[strip,Q=82,background=255,optimize_coding]" : "out.png[strip]"
        let crop = options.contentMode == .aspectFill ? ["--crop", "centre"] : []
        return [
            "thumbnail", "in", saving, String(options.size.width), "--height", String(options.size.height), "--size",
            "down", "--export-profile", "srgb", "--fail-on", "truncated",
        ] + crop
    }

    /// The line that says why, without warnings.
    private static func cause(_ text: String) -> String {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        let line = lines.first { !$0.isEmpty && !$0.contains("VIPS-WARNING") } ?? ""
        return String(line.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }.prefix(200).map(Character.init))
    }
}
