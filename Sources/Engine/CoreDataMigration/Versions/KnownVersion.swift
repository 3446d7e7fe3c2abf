import CoreDataGraph

/// A version of a model that lies among the resources of the program or of the store's options.
struct KnownVersion {
    /// The name of the version, with that of its package before it: `Model/Model 2`.
    let name: String
    let model: NSManagedObjectModel

    /// All versions that a store may be of; unreadable ones are skipped.
    static func all(for store: StoreToOpen) -> [KnownVersion] {
        ModelVersionFiles.files(in: store.resources).compactMap { file in
            guard let model = try? NSManagedObjectModel(reading: file) else { return nil }
            let version = ModelLocation.versionName(of: file)
            let package = file.deletingLastPathComponent().deletingPathExtension().lastPathComponent
            let isPackaged = ["momd", "xcdatamodeld"].contains(file.deletingLastPathComponent().pathExtension)
            return KnownVersion(
                name: isPackaged && version != package ? "\(package)/\(version)" : version, model: model)
        }
    }
}

extension StoreToOpen {
    /// Where versions of models and mapping models are looked for: first where the options say.
    var resources: [URL] {
        let given = options[CoreDataMigrationResourcesOption]
        return (given as? [URL] ?? (given as? [NSURL])?.map { $0 as URL } ?? []) + ResourceFolders.all
    }
}
