import CoreDataStore

/// Finds the model that a container names.
package enum ModelFinder {
    /// The model from the first place that has one; an empty one, and a line that says where was looked, otherwise.
    static func model(named name: String) -> NSManagedObjectModel {
        let folders = folders
        for folder in folders {
            for kind in ["momd", "mom", "xcdatamodeld", "xcdatamodel"] {
                let url = folder.appendingPathComponent("\(name).\(kind)")
                guard FileManager.default.fileExists(atPath: url.path) else { continue }
                if let model = NSManagedObjectModel(contentsOf: url) { return model }
                Diagnostics.report("CoreData: error: The model '\(url.path)' cannot be read.")
            }
        }
        Diagnostics.report(
            "CoreData: error: Failed to load model named \(name); looked in "
                + folders.prefix(10).map(\.path).joined(separator: ", "))
        return NSManagedObjectModel()
    }

    /// The bundles' folders, then that of the executable and of the resource bundles that are put beside it.
    package static var folders: [URL] {
        var folders: [URL] = []
        for bundle in [Bundle.main] + Bundle.allBundles {
            folders += [bundle.resourceURL, bundle.bundleURL].compactMap { $0 }
        }
        let executable = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments.first ?? "")
        let home = executable.resolvingSymlinksInPath().deletingLastPathComponent()
        folders.append(home)
        // A folder that cannot be listed has no models for us.
        let beside = (try? FileManager.default.contentsOfDirectory(at: home, includingPropertiesForKeys: nil)) ?? []
        folders += beside.filter { ["resources", "bundle"].contains($0.pathExtension) }.sorted { $0.path < $1.path }
        var seen = Set<String>()
        return folders.filter { seen.insert($0.standardizedFileURL.path).inserted }
    }
}
