import CoreDataGraph

/// A version of a model that lies among the program's resources.
struct KnownVersion {
    /// The name of the version, with that of its package before it: `Model/Model 2`.
    let name: String
    let model: NSManagedObjectModel

    /// All versions; what cannot be read is passed over.
    static func all() -> [KnownVersion] {
        ModelVersionFiles.all().compactMap { file in
            guard let model = try? NSManagedObjectModel(reading: file) else { return nil }
            let version = ModelLocation.versionName(of: file)
            let package = file.deletingLastPathComponent().deletingPathExtension().lastPathComponent
            let isPackaged = ["momd", "xcdatamodeld"].contains(file.deletingLastPathComponent().pathExtension)
            return KnownVersion(
                name: isPackaged && version != package ? "\(package)/\(version)" : version, model: model)
        }
    }
}
