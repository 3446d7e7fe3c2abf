import CoreData

/// What is fetched, and in which order.
public struct PHFetchOptions {
    /// A condition on the keys `creationDate`, `modificationDate`, `mediaType`, `pixelWidth`, `pixelHeight`, `duration`, `isFavorite`,
    /// `isHidden`, `latitude`, `longitude` and `camera` of assets, and `title` of albums.
    public var predicate: NSPredicate?
    /// The order by the same keys.
    public var sortDescriptors: [NSSortDescriptor]?
    /// The most that are fetched; 0 for all.
    public var fetchLimit = 0
    /// Whether hidden assets are fetched too.
    public var includeHiddenAssets = false

    /// Makes options that fetch all that is not hidden.
    public init() {}
}
