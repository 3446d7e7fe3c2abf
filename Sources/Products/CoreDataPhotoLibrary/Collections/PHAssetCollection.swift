import CoreData
import Foundation

/// Albums, which persons make, and smart albums, which are conditions.
public enum PHAssetCollectionType: Int, Sendable, Hashable {
    /// Of a person.
    case album = 1
    /// A condition.
    case smartAlbum
}

/// The albums by their content.
public enum PHAssetCollectionSubtype: Int, Sendable, Hashable, CaseIterable {
    /// An album of a person.
    case albumRegular = 2
    /// Films.
    case smartAlbumVideos = 202
    /// What was hidden.
    case smartAlbumAllHidden = 205
    /// What was added in the last 30 days.
    case smartAlbumRecentlyAdded = 206
    /// Favourites.
    case smartAlbumFavorites = 203
    /// All of the library.
    case smartAlbumUserLibrary = 209
    /// Pictures at least twice as wide as high.
    case smartAlbumPanoramas = 201

    static let smart = allCases.filter { $0 != .albumRegular }

    /// The condition of a smart album; nil for all.
    var predicate: NSPredicate? {
        switch self {
        case .smartAlbumVideos: NSPredicate(format: "mediaType == %d", PHAssetMediaType.video.rawValue)
        case .smartAlbumFavorites: NSPredicate(format: "isFavorite == YES")
        case .smartAlbumAllHidden: NSPredicate(format: "isHidden == YES")
        case .smartAlbumRecentlyAdded:
            NSPredicate(format: "creationDate >= %@", Date(timeIntervalSinceNow: -30 * 86_400))
        case .smartAlbumPanoramas:
            NSPredicate(format: "mediaType == %d AND pixelWidth >= pixelHeight * 2", PHAssetMediaType.image.rawValue)
        case .albumRegular, .smartAlbumUserLibrary: nil
        }
    }

    var title: String? {
        switch self {
        case .albumRegular: nil
        case .smartAlbumVideos: "Videos"
        case .smartAlbumAllHidden: "Hidden"
        case .smartAlbumRecentlyAdded: "Recently Added"
        case .smartAlbumFavorites: "Favorites"
        case .smartAlbumUserLibrary: "Recents"
        case .smartAlbumPanoramas: "Panoramas"
        }
    }
}

/// An album of a photo library, as it was when it was fetched. Immutable.
public struct PHAssetCollection: Sendable, Hashable {
    /// An identifier that stays.
    public let localIdentifier: String
    /// The title; in English for smart albums.
    public let localizedTitle: String?
    /// Whether a person made it.
    public let assetCollectionType: PHAssetCollectionType
    /// By its content.
    public let assetCollectionSubtype: PHAssetCollectionSubtype

    init(_ object: NSManagedObject) {
        localIdentifier = object.value(forKey: "identifier") as? String ?? ""
        localizedTitle = object.value(forKey: "title") as? String
        (assetCollectionType, assetCollectionSubtype) = (.album, .albumRegular)
    }

    init(smart subtype: PHAssetCollectionSubtype) {
        localIdentifier = "smart-\(subtype.rawValue)"
        localizedTitle = subtype.title
        (assetCollectionType, assetCollectionSubtype) = (.smartAlbum, subtype)
    }
}

extension PHPhotoLibrary {
    /// The albums of a type, by their titles; smart albums in a fixed order.
    ///
    /// - Parameter subtype: One subtype alone; nil for all.
    /// - Returns: An empty result where the library may not be read.
    /// - Throws: ``PhotoLibraryError`` with `unavailable`.
    public func fetchAssetCollections(
        with type: PHAssetCollectionType, subtype: PHAssetCollectionSubtype? = nil, options: PHFetchOptions? = nil
    ) throws -> PHFetchResult<PHAssetCollection> {
        guard mayRead else { return PHFetchResult([]) { PHAssetCollection($0) } }
        guard type == .album else {
            let found = PHAssetCollectionSubtype.smart.filter { subtype == nil || $0 == subtype }
            return PHFetchResult(found.map { PHAssetCollection(smart: $0) }) { PHAssetCollection($0) }
        }
        return try reading { reader in
            let request = NSFetchRequest<NSManagedObjectID>(entityName: PhotoModel.album)
            request.resultType = .managedObjectIDResultType
            request.predicate = options?.predicate
            request.sortDescriptors =
                options?.sortDescriptors ?? [
                    NSSortDescriptor(key: "title", ascending: true),
                    NSSortDescriptor(key: "identifier", ascending: true),
                ]
            request.fetchLimit = max(0, options?.fetchLimit ?? 0)
            return PHFetchResult(try reader.fetch(request), reader) { PHAssetCollection($0) }
        }
    }
}
