import CoreDataStore

/// Finds the model that has a container's name.
enum ModelFinder {
    /// The model in the first resource folder that has a readable one; otherwise an empty one, after logging the
    /// folders.
    static func model(named name: String) -> NSManagedObjectModel {
        let folders = ResourceFolders.all
        for folder in folders {
            for kind in ["momd", "mom", "xcdatamodeld", "xcdatamodel"] {
                let url = folder.appendingPathComponent("\(name).\(kind)")
                guard FileManager.default.fileExists(atPath: url.path) else { continue }
                if let model = NSManagedObjectModel(contentsOf: url) { return model }
                CoreDataLogging.report(
                    .error, "The model '\(url.path)' cannot be read.",
                    metadata: [CoreDataLogging.MetadataKey.model: url.path])
            }
        }
        CoreDataLogging.report(
            .error,
            "Failed to load model named \(name); looked in "
                + folders.prefix(10).map(\.path).joined(separator: ", "))
        return NSManagedObjectModel()
    }
}
