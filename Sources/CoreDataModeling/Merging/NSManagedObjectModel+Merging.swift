import CoreDataFoundation

extension NSManagedObjectModel {
    /// A model of the entities of several models; an entity that several define alike is taken once.
    ///
    /// Two different entities of one name stop the process, as they raise an exception in Apple's framework;
    /// `init(merging:)` throws instead. Nil for nil.
    public convenience init?(byMerging models: [NSManagedObjectModel]?) {
        guard let models else { return nil }
        self.init()
        do {
            adopt(try ModelMerge.merge(models))
        } catch {
            stop("\(error)")
        }
    }

    /// A model of the entities of several models; an entity that several define alike is taken once.
    ///
    /// - Throws: an `NSError` of the Cocoa domain if two models define an entity of one name differently.
    public convenience init(merging models: [NSManagedObjectModel]) throws {
        self.init()
        do {
            adopt(try ModelMerge.merge(models))
        } catch let error as ModelingError {
            throw error.asNSError
        }
    }

    /// Those of the models that a store with the given metadata was made with, merged; nil if none or not all are there.
    public convenience init?(byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]) {
        self.init()
        guard let stored = metadata["NSStoreModelVersionHashes"] as? [String: Data],
            let assembly = Self.assembly(of: models, matching: stored)
        else { return nil }
        adopt(assembly)
    }

    private static func assembly(
        of models: [NSManagedObjectModel], matching stored: [String: Data]
    ) -> ModelAssembly? {
        if let whole = models.first(where: { $0.entitiesDiffering(from: stored).isEmpty }) {
            return try? ModelMerge.merge([whole])
        }
        let parts = models.filter { model in
            !model.entities.isEmpty && model.entityVersionHashesByName.allSatisfy { stored[$0.key] == $0.value }
        }
        guard let merged = try? ModelMerge.merge(parts), Set(merged.entitiesByName.keys) == Set(stored.keys) else {
            return nil
        }
        return merged
    }

    /// All models in the resources of the bundles (of the main bundle for nil), merged; nil if there are none.
    ///
    /// A versioned model counts with its current version. Differing entities of one name stop the process.
    public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
        let models = resourceFolders(bundles).flatMap { folder in
            BoundedFile.names(in: folder).filter { $0.hasSuffix(".momd") || $0.hasSuffix(".mom") }
                .compactMap { NSManagedObjectModel(contentsOf: folder.appendingPathComponent($0)) }
        }
        return models.isEmpty ? nil : NSManagedObjectModel(byMerging: models)
    }

    /// The model among all versions in the resources of the bundles that a store with the metadata was made with.
    public class func mergedModel(
        from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
    ) -> NSManagedObjectModel? {
        let models = resourceFolders(bundles).flatMap(compiledModels).compactMap {
            NSManagedObjectModel(contentsOf: $0)
        }
        return NSManagedObjectModel(byMerging: models, forStoreMetadata: metadata)
    }

    private class func resourceFolders(_ bundles: [Bundle]?) -> [URL] {
        (bundles ?? [.main]).compactMap(\.resourceURL)
    }

    /// The compiled models in a folder and all versions of the versioned ones.
    private class func compiledModels(in folder: URL) -> [URL] {
        BoundedFile.names(in: folder).flatMap { name -> [URL] in
            let url = folder.appendingPathComponent(name)
            if name.hasSuffix(".mom") { return [url] }
            guard name.hasSuffix(".momd") else { return [] }
            return BoundedFile.names(in: url).filter { $0.hasSuffix(".mom") }.map(url.appendingPathComponent)
        }
    }
}
