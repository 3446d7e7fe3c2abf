import CoreData
import CoreDataPictures
import Synchronization

/// Thumbnails and details of the pictures in stores, and which content their values have, so that a page of thumbnails that are in the
/// cache reads no picture.
package final class PictureShelf: Sendable {
    /// A value at a version of a store: while the version is the same, so is the content.
    struct Place: Hashable {
        let store: String
        let version: StoreVersion
        let object: String
        let key: String
    }

    private struct Known {
        var digests: [Place: ContentDigest] = [:]
        var details: [ContentDigest: PictureDetails] = [:]
    }

    /// The most values and the most details that are remembered; then all are found again.
    private static let limit = 20_000

    let maker: ThumbnailMaker
    private let known = Mutex(Known())

    init(folder: URL?) { maker = ThumbnailMaker(cache: ThumbnailCache(folder: folder)) }

    /// The content of a value, if it was asked for before.
    func digest(at place: Place) -> ContentDigest? { known.withLock { $0.digests[place] } }

    func remember(_ digest: ContentDigest, at place: Place) {
        known.withLock { known in
            if known.digests.count >= Self.limit { known.digests = [:] }
            known.digests[place] = digest
        }
    }

    /// What a picture says of its making, each content asked once.
    ///
    /// - Throws: `PictureFileError`
    func details(of data: Data) async throws -> PictureDetails {
        let digest = ContentDigest(data)
        if let details = known.withLock({ $0.details[digest] }) { return details }
        let details = try await PictureDetailsReader().details(of: .data(data))
        known.withLock { known in
            if known.details.count >= Self.limit { known.details = [:] }
            known.details[digest] = details
        }
        return details
    }
}
