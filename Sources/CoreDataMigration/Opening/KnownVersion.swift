import CoreDataGraph

/// A version of a model that lies among the program's resources.
struct KnownVersion {
    /// The name of the version, with that of its package before it: `Model/Model 2`.
    let name: String
    let model: NSManagedObjectModel

    /// All versions in the folders in which containers look for models; what cannot be read is passed over.
    static func all(in folders: [URL] = ResourceFolders.all) -> [KnownVersion] {
        folders.flatMap { folder -> [KnownVersion] in
            // A folder that cannot be listed has no models for us.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.sorted().filter(isModel).flatMap { name in
                let url = folder.appendingPathComponent(name)
                let package = url.deletingPathExtension().lastPathComponent
                return ModelLocation.versions(in: url).compactMap { file -> KnownVersion? in
                    guard let model = try? NSManagedObjectModel(reading: file) else { return nil }
                    let version = ModelLocation.versionName(of: file)
                    return KnownVersion(name: version == package ? version : "\(package)/\(version)", model: model)
                }
            }
        }
    }

    private static func isModel(_ name: String) -> Bool {
        [".momd", ".mom", ".xcdatamodeld", ".xcdatamodel"].contains { name.hasSuffix($0) }
    }
}
