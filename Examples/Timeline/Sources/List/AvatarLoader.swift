import CoreDataTransfer
import Foundation

/// The pictures of the authors: one request for each address, at most three at a time, and none for those that are cached
/// and fresh.
struct AvatarLoader: Sendable {
    private let loader: PictureLoader

    /// Makes a loader with a cache in a folder.
    ///
    /// - Throws: what making the folder throws.
    init(cachedIn folder: URL, configuration: TransferConfiguration = TransferConfiguration()) throws {
        var configuration = configuration
        configuration.maximumTransfersPerHost = 3
        loader = PictureLoader(
            cache: try FolderPictureCache(folder: folder), session: TransferSession(configuration: configuration))
    }

    /// The pictures of rows, by their addresses; those that cannot be loaded are left out.
    func pictures(of rows: [TimelineRow]) async -> [URL: Data] {
        let addresses = Set(rows.compactMap(\.picture))
        return await withTaskGroup(of: (URL, Data?).self) { group in
            for url in addresses { group.addTask { (url, try? await loader.picture(at: url).data) } }
            return await group.reduce(into: [:]) { pictures, found in pictures[found.0] = found.1 }
        }
    }
}
