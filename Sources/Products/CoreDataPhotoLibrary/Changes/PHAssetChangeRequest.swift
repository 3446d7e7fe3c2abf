import CoreData
import CoreDataPlaces
import Foundation

/// A change of an asset, made within a change block. Outside of one the program stops with a message.
public final class PHAssetChangeRequest {
    private let object: NSManagedObject?

    /// Begins to change an asset. One that is not there any more lets the block fail.
    public init(for asset: PHAsset) {
        object = ChangeWork.required("a change request").object(PhotoModel.asset, asset.localIdentifier)
        object?.setValue(Date(), forKey: "modificationDate")
    }

    /// Whether the asset is a favourite.
    public var isFavorite: Bool {
        get { object?.value(forKey: "isFavorite") as? Bool ?? false }
        set { object?.setValue(newValue, forKey: "isFavorite") }
    }

    /// Whether the asset is hidden.
    public var isHidden: Bool {
        get { object?.value(forKey: "isHidden") as? Bool ?? false }
        set { object?.setValue(newValue, forKey: "isHidden") }
    }

    /// When the asset was taken.
    public var creationDate: Date? {
        get { object?.value(forKey: "creationDate") as? Date }
        set { object?.setValue(newValue, forKey: "creationDate") }
    }

    /// Where the asset was taken.
    public var location: CLLocation? {
        get {
            guard let latitude = object?.value(forKey: "latitude") as? Double,
                let longitude = object?.value(forKey: "longitude") as? Double
            else { return nil }
            return CLLocation(latitude: latitude, longitude: longitude)
        }
        set {
            object?.setValue(newValue?.coordinate.latitude, forKey: "latitude")
            object?.setValue(newValue?.coordinate.longitude, forKey: "longitude")
            object?.setValue(newValue.flatMap { $0.verticalAccuracy > 0 ? $0.altitude : nil }, forKey: "altitude")
        }
    }

    /// Leaves assets out of the library, also after further scans; their files stay.
    public static func deleteAssets(_ assets: some Sequence<PHAsset>) {
        let work = ChangeWork.required("a deletion")
        for asset in assets {
            guard let object = work.object(PhotoModel.asset, asset.localIdentifier) else { return }
            object.setValue(true, forKey: "isDeletedAsset")
            object.setValue(NSSet(), forKey: "albums")
            work.deletedAssets.insert(asset.localIdentifier)
        }
    }
}

/// A change of an album, made within a change block. Outside of one the program stops with a message.
public final class PHAssetCollectionChangeRequest {
    private let object: NSManagedObject?
    private let work: ChangeWork

    /// Begins to change an album of a person. One that is not there any more lets the block fail.
    public init(for collection: PHAssetCollection) {
        work = ChangeWork.required("a change request")
        object = work.object(PhotoModel.album, collection.localIdentifier)
    }

    private init(_ object: NSManagedObject, _ work: ChangeWork) { (self.object, self.work) = (object, work) }

    /// Makes an album.
    public static func creationRequestForAssetCollection(withTitle title: String) -> PHAssetCollectionChangeRequest {
        let work = ChangeWork.required("a new album")
        let album = NSEntityDescription.insertNewObject(forEntityName: PhotoModel.album, into: work.context)
        album.setValue(UUID().uuidString, forKey: "identifier")
        album.setValue(title, forKey: "title")
        album.setValue(Date(), forKey: "creationDate")
        return PHAssetCollectionChangeRequest(album, work)
    }

    /// The identifier that a new album will have.
    public var localIdentifier: String { object?.value(forKey: "identifier") as? String ?? "" }

    /// The title.
    public var title: String {
        get { object?.value(forKey: "title") as? String ?? "" }
        set { object?.setValue(newValue, forKey: "title") }
    }

    /// Adds assets at the end; those that are in the album stay where they are.
    public func addAssets(_ assets: some Sequence<PHAsset>) {
        change { members in
            for object in objects(assets) { members.add(object) }
        }
    }

    /// Takes assets out of the album.
    public func removeAssets(_ assets: some Sequence<PHAsset>) {
        change { members in
            for object in objects(assets) { members.remove(object) }
        }
    }

    private func objects(_ assets: some Sequence<PHAsset>) -> [NSManagedObject] {
        assets.compactMap { work.object(PhotoModel.asset, $0.localIdentifier) }
    }

    private func change(_ body: (NSMutableOrderedSet) -> Void) {
        guard let object else { return }
        let old = object.value(forKey: "assets") as? NSOrderedSet ?? NSOrderedSet()
        let members = NSMutableOrderedSet(array: old.array)
        body(members)
        object.setValue(members, forKey: "assets")
    }

    /// Deletes albums; their assets stay.
    public static func deleteAssetCollections(_ collections: some Sequence<PHAssetCollection>) {
        let work = ChangeWork.required("a deletion")
        for collection in collections {
            guard let object = work.object(PhotoModel.album, collection.localIdentifier) else { return }
            work.context.delete(object)
        }
    }
}
