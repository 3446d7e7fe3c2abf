import CoreDataPictures
import Foundation
import MediaToolKit
import ProgramKit

/// How a picture of another shape is put into a size.
public enum PHImageContentMode: Int, Sendable, Hashable {
    /// The whole picture.
    case aspectFit
    /// A part from its middle that fills the size.
    case aspectFill
}

/// The size that asks for a picture as large as it is, up to 4,096 pixels.
public let PHImageManagerMaximumSize = CGSize(width: -1, height: -1)

/// Makes pictures of assets in sizes, without distortion and never enlarged, by ``ThumbnailMaker`` and its cache.
///
/// A film is shown by a picture from its beginning. A manager can be used from any thread.
public final class PHImageManager: Sendable {
    private let library: PHPhotoLibrary

    /// Makes the manager of a library.
    public init(_ library: PHPhotoLibrary) { self.library = library }

    /// A picture of an asset.
    ///
    /// - Parameters:
    ///   - asset: The asset.
    ///   - targetSize: The size in pixels.
    ///   - contentMode: How a picture of another shape is put into the size.
    /// - Returns: A JPEG.
    /// - Throws: `PictureFileError`, also for an asset whose file is gone; `CancellationError`.
    public func image(for asset: PHAsset, targetSize: CGSize, contentMode: PHImageContentMode = .aspectFit) async throws
        -> Data
    {
        func side(_ length: CGFloat) -> Int {
            length.isFinite && length >= 1 && length < 4_096 ? Int(length.rounded()) : 4_096
        }
        let options = ThumbnailOptions(
            size: PixelSize(width: side(targetSize.width), height: side(targetSize.height)),
            contentMode: contentMode == .aspectFit ? .aspectFit : .aspectFill)
        let maker = library.thumbnails
        if let digest = ContentDigest(asset.digest), let kept = try maker.kept(digest, options) { return kept }
        guard asset.mediaType == .video else { return try await maker.thumbnail(of: .file(asset.url), options) }
        let poster = try await Poster.picture(of: asset.url)
        let digest = ContentDigest(asset.digest) ?? ContentDigest(poster)
        return try await maker.thumbnail(of: poster, digest, options)
    }

    /// Asks for a picture of an asset, by the form of Apple's Photos.
    ///
    /// - Parameter resultHandler: Is called once, on another thread, with a JPEG or with an error.
    @discardableResult
    public func requestImage(
        for asset: PHAsset, targetSize: CGSize, contentMode: PHImageContentMode,
        resultHandler: @Sendable @escaping (Data?, (any Error)?) -> Void
    ) -> Task<Void, Never> {
        Task {
            do {
                resultHandler(try await image(for: asset, targetSize: targetSize, contentMode: contentMode), nil)
            } catch {
                resultHandler(nil, error)
            }
        }
    }
}

/// A picture from the beginning of a film, by the program `ffmpeg`.
enum Poster {
    static func picture(of film: URL) async throws -> Data {
        let arguments = MediaTool.converting(
            film.path, ["-map", "0:v:0", "-frames:v", "1", "-an", "-f", "image2pipe", "-c:v", "png", "pipe:1"])
        let output: ProgramOutput
        do {
            output = try await MediaTool.ffmpeg.output(arguments, limits: ProgramLimits(output: 256 << 20))
        } catch let failure as ProgramFailure {
            throw PictureFileError(
                failure.isMissing ? .missingProgram : .programFailed, failure.description,
                hint: "install the package '\(failure.package)', or convert the film by another program")
        }
        // ffmpeg ends with status 0 also where it wrote nothing.
        guard output.status == 0, !output.standardOutput.isEmpty else {
            throw PictureFileError(
                .damaged, "the film '\(film.lastPathComponent)' has no picture that can be read",
                hint: "see that the file is there, or convert it by another program")
        }
        return output.standardOutput
    }
}
