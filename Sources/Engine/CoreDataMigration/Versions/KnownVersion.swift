import CoreDataGraph

/// A model version among the resources of the program, or at the URLs in the store's options.
struct KnownVersion {
    /// The name of the version, preceded by that of its package: `Model/Model 2`.
    let name: String
    let model: NSManagedObjectModel

    /// All versions that the store may have; files that cannot be read are skipped.
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
    /// The URLs at which models and mapping models are searched: first those in the options, then the program's
    /// resources.
    var resources: [URL] {
        let given = options[CoreDataMigrationResourcesOption]
        return (given as? [URL] ?? (given as? [NSURL])?.map { $0 as URL } ?? []) + ResourceFolders.all
    }
}
