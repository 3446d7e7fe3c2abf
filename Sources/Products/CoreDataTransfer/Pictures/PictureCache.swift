import Foundation
import LockKit

/// A picture with what its server says of it, as a cache keeps it.
public struct CachedPicture: Sendable, Equatable {
    /// The bytes, as they came.
    public var data: Data
    /// The version by `ETag`.
    public var entityTag: String?
    /// The version by `Last-Modified`.
    public var lastModified: String?
    /// Until when the server need not be asked again.
    public var freshUntil: Date

    /// Makes an entry.
    public init(data: Data, entityTag: String? = nil, lastModified: String? = nil, freshUntil: Date) {
        (self.data, self.entityTag, self.lastModified, self.freshUntil) = (data, entityTag, lastModified, freshUntil)
    }
}

/// Where a ``PictureLoader`` keeps pictures. A cache may forget what it has at any time; it reports no errors. Its functions are
/// called from any thread, several at a time.
///
/// ``MemoryPictureCache`` and ``FolderPictureCache`` are there. One that keeps pictures as external data of an entity fetches
/// and saves in `perform` of a context.
public protocol PictureCache: Sendable {
    /// The picture of a URL, which counts as used by this; nil if there is none.
    func picture(for url: URL) async -> CachedPicture?
    /// Keeps a picture in place of the one that is there.
    func store(_ picture: CachedPicture, for url: URL) async
    /// Forgets a picture.
    func remove(for url: URL) async
}

/// Pictures in memory, of which those that were not used for longest go first.
public final class MemoryPictureCache: PictureCache {
    private struct State: Sendable {
        var pictures: [URL: CachedPicture] = [:]
        var order = LeastRecentlyUsed<URL>()
    }

    /// The most bytes of all pictures together; one that is larger is not kept.
    public let byteLimit: Int
    private let state = Locked(State())

    /// Makes an empty cache.
    public init(byteLimit: Int = 32 << 20) { self.byteLimit = byteLimit }

    /// The bytes of all pictures together.
    public var byteCount: Int { state.withLock { $0.order.totalSize } }

    public func picture(for url: URL) -> CachedPicture? {
        state.withLock { state in
            state.order.use(url)
            return state.pictures[url]
        }
    }

    public func store(_ picture: CachedPicture, for url: URL) {
        state.withLock { state in
            state.order.remove(url)
            state.pictures[url] = nil
            guard picture.data.count <= byteLimit else { return }
            state.pictures[url] = picture
            state.order.insert(url, size: picture.data.count)
            for key in state.order.shrink(to: byteLimit) { state.pictures[key] = nil }
        }
    }

    public func remove(for url: URL) {
        state.withLock { state in
            state.order.remove(url)
            state.pictures[url] = nil
        }
    }
}
