import CoreDataPictures
import Foundation
import MediaToolKit
import ProgramKit
import UniformTypeIdentifiers

/// What a scan finds out of one file.
struct ScannedFile: Sendable {
    let path: String
    let fileSize: Int
    let fileTime: Date
    let digest: String
    let type: UTType
    let mediaType: PHAssetMediaType
    var size: PixelSize?
    var duration: Double?
    var details = PictureDetails()

    /// The bytes that are digested whole; of larger files the first and the last are, and the size.
    private static let (wholeBytes, partBytes) = (64 << 20, 8 << 20)

    /// Reads a file; nil for one that is no picture or film, or that cannot be read.
    init?(_ file: FolderListing.File, in folder: URL) async {
        let url = folder.appendingPathComponent(file.path)
        guard let type = try? UTType(recognizing: url), let mediaType = Self.mediaType(type),
            let digest = Self.digest(of: url, file.size)
        else { return nil }
        (path, fileSize, fileTime) = (file.path, file.size, file.time)
        (self.digest, self.type, self.mediaType) = (digest, type, mediaType)
        if mediaType == .image {
            guard let properties = try? PictureProperties(contentsOf: url) else { return nil }
            size = properties.size
        } else {
            let output = try? await MediaTool.ffprobe.output(
                MediaProbe.arguments(url.path), limits: ProgramLimits(output: 1 << 20))
            let film = output.flatMap(MediaProbe.init)
            size = film?.size.map { PixelSize(width: $0.width, height: $0.height) }
            duration = film?.statedDuration
        }
    }

    private static func mediaType(_ type: UTType) -> PHAssetMediaType? {
        if PictureProperties.isKnown(type) { return .image }
        return type.conforms(to: .movie) ? .video : nil
    }

    private static func digest(of file: URL, _ size: Int) -> String? {
        guard let handle = try? FileHandle(forReadingFrom: file) else { return nil }
        defer { try? handle.close() }
        if size <= wholeBytes { return (try? handle.readToEnd() ?? Data()).map { ContentDigest($0).text } }
        guard let first = try? handle.read(upToCount: partBytes),
            (try? handle.seek(toOffset: UInt64(size - partBytes))) != nil,
            let last = try? handle.read(upToCount: partBytes)
        else { return nil }
        return ContentDigest(Data("\(size) ".utf8) + first + last).text
    }
}
