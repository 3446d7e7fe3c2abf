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
            take(try ModelMerge.merge(models))
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
            take(try ModelMerge.merge(models))
        } catch let error as ModelingError {
            throw error.asNSError
        }
    }

    /// Those of the models that a store with the given metadata was made with, merged; nil if none or not all are there.
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

    /// A model that agrees to the byte comes before one whose agreement rests on an assumption.
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

    /// All models in the resources of the bundles (of the main bundle for nil), merged; nil if none is found.
    ///
    /// A versioned model counts with its current version. A `.mom` beside a `.momd` of its name is reported by a
    /// warning, since it is most often left from a time before versions. Differing entities of one name stop the process.
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
