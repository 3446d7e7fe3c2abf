import CoreDataFoundation

extension NSManagedObjectModel {
    /// Merges several models; an entity that several of them define in the same way is added once.
    ///
    /// The process stops for two different entities of one name, where Apple's framework raises an exception;
    /// `init(merging:)` throws instead. Returns nil for nil.
    public convenience init?(byMerging models: [NSManagedObjectModel]?) {
        guard let models else { return nil }
        self.init()
        do {
            take(try ModelMerge.merge(models))
        } catch {
            stop("\(error)")
        }
    }

    /// Merges several models; an entity that several of them define in the same way is added once.
    ///
    /// - Throws: an `NSError` of the Cocoa domain if two models define an entity of one name differently.
    public convenience init(merging models: [NSManagedObjectModel]) throws {
        self.init()
        do {
            take(try ModelMerge.merge(models))
        } catch let error as ModelingError {
            throw error.asNSError
        }
    }

    /// Merges those models with which a store with the given metadata was made; nil if they do not have all its
    /// entities.
    public convenience init?(byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]) {
        self.init()
        guard let stored = metadata["NSStoreModelVersionHashes"] as? [String: Data],
            let merged = Self.merge(of: models, matching: stored)
        else { return nil }
        take(merged)
    }

    private func take(_ merged: ModelMerge.Result) {
        adopt(merged.assembly)
        localizationDictionary = merged.localizationDictionary.isEmpty ? nil : merged.localizationDictionary
        templateObjectsByName = merged.templateObjects
    }

    /// A model with equal hashes is preferred to one that differs only in entities with assumed hashes.
    private static func merge(of models: [NSManagedObjectModel], matching stored: [String: Data]) -> ModelMerge.Result?
    {
        let whole =
            models.first { $0.entitiesDiffering(from: stored).isEmpty }
            ?? models.first { $0.agreement(with: stored).differing.isEmpty }
        if let whole { return try? ModelMerge.merge([whole]) }
        let parts = models.filter { model in
            !model.entities.isEmpty && model.entityVersionHashesByName.allSatisfy { stored[$0.key] == $0.value }
        }
        guard let merged = try? ModelMerge.merge(parts),
            Set(merged.assembly.entitiesByName.keys) == Set(stored.keys)
        else { return nil }
        return merged
    }

    /// Merges all models in the resources of the bundles (of the main bundle for nil); nil if there are none.
    ///
    /// The current version of a versioned model is used. A warning reports a `.mom` beside a `.momd` of the same name,
    /// which is usually left from before there were versions. Differing entities of one name stop the process.
    public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
        let models = resourceFolders(bundles).flatMap { folder in
            let names = BoundedFile.names(in: folder).filter { $0.hasSuffix(".momd") || $0.hasSuffix(".mom") }
            reportStaleModels(among: names, in: folder)
            return names.compactMap { NSManagedObjectModel(contentsOf: folder.appendingPathComponent($0)) }
        }
        return models.isEmpty ? nil : NSManagedObjectModel(byMerging: models)
    }

    private class func reportStaleModels(among names: [String], in folder: URL) {
        for name in names where name.hasSuffix(".mom") && names.contains(name + "d") {
            let path = folder.appendingPathComponent(name).path
            CoreDataLogging.report(
                .warning,
                "'\(path)' lies beside '\(name)d' and may be stale; both are merged. Remove it, or load the .momd by its URL.",
                metadata: [CoreDataLogging.MetadataKey.model: path])
        }
    }

    /// Merges those models, among all versions in the resources of the bundles, with which a store with the metadata
    /// was made.
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

    /// The compiled models in a folder, with all versions of versioned ones.
    private class func compiledModels(in folder: URL) -> [URL] {
        BoundedFile.names(in: folder).flatMap { name -> [URL] in
            let url = folder.appendingPathComponent(name)
            if name.hasSuffix(".mom") { return [url] }
            guard name.hasSuffix(".momd") else { return [] }
            return BoundedFile.names(in: url).filter { $0.hasSuffix(".mom") }.map(url.appendingPathComponent)
        }
    }
}
