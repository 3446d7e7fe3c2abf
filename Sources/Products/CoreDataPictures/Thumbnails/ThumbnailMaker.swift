import Foundation
import LockKit
import ProgramKit

/// Makes thumbnails of pictures, and keeps them.
///
/// A picture is decoded by the program `vips` of Debian's package `libvips-tools`, in a process of its own within limits: a hostile
/// picture costs its own thumbnail and nothing else, and is tried once. Loaders that libvips calls untrusted are off. Thumbnails are in
/// sRGB, turned as the picture asks, and have no metadata: no place, no camera, no date.
///
/// A maker can be used from any thread; no more programs run at a time than there are processors.
public final class ThumbnailMaker: Sendable {
    /// Where thumbnails are kept.
    public let cache: ThumbnailCache
    /// What decoding one picture may cost.
    public let limits: ThumbnailLimits

    private struct Key: Hashable {
        let digest: ContentDigest
        let options: ThumbnailOptions
    }

    private let slots = ProcessorSlots()
    /// What is being made: who asks for the same waits for it.
    private let running = Locked<[Key: Task<Data, any Error>]>([:])

    static let vips = HelperProgram("vips", package: "libvips-tools")

    /// Makes a maker.
    public init(cache: ThumbnailCache = ThumbnailCache(), limits: ThumbnailLimits = ThumbnailLimits()) {
        (self.cache, self.limits) = (cache, limits)
    }

    /// Whether the program that decodes pictures is installed.
    public static var isPossible: Bool { vips.url != nil }

    /// A thumbnail of a picture, from the cache if it is there.
    ///
    /// - Parameters:
    ///   - source: The picture.
    ///   - options: What the thumbnail is to be like.
    /// - Returns: The bytes of the thumbnail, in the format of the options.
    /// - Throws: ``PictureFileError``; the same without a second try for bytes that could not be read before. `CancellationError`.
    public func thumbnail(of source: PictureSource, _ options: ThumbnailOptions = ThumbnailOptions()) async throws
        -> Data
    {
        let data = try source.bytes(limit: limits.bytes)
        return try await thumbnail(of: data, ContentDigest(data), options)
    }

    /// A thumbnail of bytes whose digest is known.
    ///
    /// - Throws: As ``thumbnail(of:_:)``.
    public func thumbnail(of data: Data, _ digest: ContentDigest, _ options: ThumbnailOptions) async throws -> Data {
        if let kept = try kept(digest, options) { return kept }
        let key = Key(digest: digest, options: options)
        let task = running.withLock { running in
            if let task = running[key] { return task }
            let task = Task {
                defer { self.running.withLock { $0[key] = nil } }
                return try await self.make(data, digest, options)
            }
            running[key] = task
            return task
        }
        // Others may wait for it too: who gives up does not end it, and its limits bound it.
        return try await task.value
    }

    /// A thumbnail that is in the cache; nil if it has to be made.
    ///
    /// - Throws: ``PictureFileError`` for a picture that could not be read before.
    public func kept(_ digest: ContentDigest, _ options: ThumbnailOptions) throws -> Data? {
        if let kept = cache.thumbnail(digest, options) { return kept }
        if let failure = cache.failure(digest) { throw failure }
        return nil
    }

    private func make(_ data: Data, _ digest: ContentDigest, _ options: ThumbnailOptions) async throws -> Data {
        do {
            let thumbnail = try await slots.run { [limits] in
                try await ThumbnailRun(limits, options).thumbnail(of: data)
            }
            cache.keep(thumbnail, digest, options)
            return thumbnail
        } catch let error as PictureFileError {
            cache.keep(error, digest)
            throw error
        }
    }
}
