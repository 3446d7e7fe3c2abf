import CoreData
import Foundation

extension PHPhotoLibrary {
    /// The assets of the library, the newest last unless the options say otherwise.
    ///
    /// - Returns: A result whose assets are read when they are asked for; an empty one where the library may not be read.
    /// - Throws: ``PhotoLibraryError`` with `unavailable`.
    public func fetchAssets(with options: PHFetchOptions? = nil) throws -> PHFetchResult<PHAsset> {
        try assets(nil, options)
    }

    /// The assets of a kind.
    ///
    /// - Throws: As ``fetchAssets(with:)``.
    public func fetchAssets(with mediaType: PHAssetMediaType, options: PHFetchOptions? = nil) throws
        -> PHFetchResult<PHAsset>
    {
        try assets(NSPredicate(format: "mediaType == %d", mediaType.rawValue), options)
    }

    /// The assets of some identifiers, also hidden ones.
    ///
    /// - Throws: As ``fetchAssets(with:)``.
    public func fetchAssets(withLocalIdentifiers identifiers: [String], options: PHFetchOptions? = nil) throws
        -> PHFetchResult<PHAsset>
    {
        var options = options ?? PHFetchOptions()
        options.includeHiddenAssets = true
        return try assets(NSPredicate(format: "identifier IN %@", identifiers), options)
    }

    /// The assets of an album in its order, or of a smart album by their dates.
    ///
    /// - Throws: As ``fetchAssets(with:)``.
    public func fetchAssets(in collection: PHAssetCollection, options: PHFetchOptions? = nil) throws
        -> PHFetchResult<PHAsset>
    {
        guard collection.assetCollectionType == .album else {
            var options = options ?? PHFetchOptions()
            if collection.assetCollectionSubtype == .smartAlbumAllHidden { options.includeHiddenAssets = true }
            return try assets(collection.assetCollectionSubtype.predicate, options)
        }
        guard mayRead else { return .empty }
        return try reading { reader in
            guard let album = try self.object(PhotoModel.album, collection.localIdentifier, in: reader) else {
                return .empty
            }
            let ordered = (album.value(forKey: "assets") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
            let request = self.request(NSPredicate(format: "SELF IN %@", ordered), options)
            let found = try reader.fetch(request)
            guard options?.sortDescriptors == nil else { return self.result(found, reader) }
            let shown = Set(found)
            return self.result(ordered.map(\.objectID).filter(shown.contains), reader)
        }
    }

    private func assets(_ condition: NSPredicate?, _ options: PHFetchOptions?) throws -> PHFetchResult<PHAsset> {
        guard mayRead else { return .empty }
        return try reading { reader in self.result(try reader.fetch(self.request(condition, options)), reader) }
    }

    private func request(_ condition: NSPredicate?, _ options: PHFetchOptions?) -> NSFetchRequest<NSManagedObjectID> {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: PhotoModel.asset)
        request.resultType = .managedObjectIDResultType
        var conditions = [NSPredicate(format: "isDeletedAsset == NO")]
        if options?.includeHiddenAssets != true { conditions.append(NSPredicate(format: "isHidden == NO")) }
        conditions += [condition, options?.predicate].compactMap { $0 }
        request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: conditions)
        let usual = [
            NSSortDescriptor(key: "creationDate", ascending: true),
            NSSortDescriptor(key: "identifier", ascending: true),
        ]
        request.sortDescriptors = options?.sortDescriptors ?? usual
        request.fetchLimit = max(0, options?.fetchLimit ?? 0)
        return request
    }

    private func result(_ ids: [NSManagedObjectID], _ reader: NSManagedObjectContext) -> PHFetchResult<PHAsset> {
        PHFetchResult(ids, reader) { [folder] in PHAsset($0, in: folder) }
    }

    /// Reads in the context of the present state.
    func reading<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        do {
            let reader = try reader()
            return try reader.performAndWait { try body(reader) }
        } catch let error as PhotoLibraryError {
            throw error
        } catch {
            throw PhotoLibraryError(
                .unavailable, "the photo library cannot be read: \(error.localizedDescription)",
                hint: "see that its store is there and can be read")
        }
    }

    /// The object of an identifier.
    func object(_ entity: String, _ identifier: String, in context: NSManagedObjectContext) throws -> NSManagedObject? {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "identifier == %@", identifier)
        request.fetchLimit = 1
        return try context.fetch(request).first
    }
}
