import CoreDataFoundation

/// The folders that may contain a program's resources.
package enum ResourceFolders {
    /// The folders of all bundles, then that of the executable and the resource bundles in it.
    package static var all: [URL] {
        var folders = folders(of: [Bundle.main] + Bundle.allBundles)
        let executable = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments.first ?? "")
        let home = executable.resolvingSymlinksInPath().deletingLastPathComponent()
        folders.append(home)
        // A folder that cannot be listed is ignored.
        let beside = (try? FileManager.default.contentsOfDirectory(at: home, includingPropertiesForKeys: nil)) ?? []
        folders += beside.filter { ["resources", "bundle"].contains($0.pathExtension) }.sorted { $0.path < $1.path }
        return unique(folders)
    }

    /// The folders of some bundles, each once.
    package static func folders(of bundles: [Bundle]) -> [URL] {
        unique(bundles.flatMap { bundle in [bundle.resourceURL, bundle.bundleURL].compactMap { $0 } })
    }

    private static func unique(_ folders: [URL]) -> [URL] {
        var seen = Set<String>()
        return folders.filter { seen.insert($0.standardizedFileURL.path).inserted }
    }
}
