/// The files that settle ambiguous names, one for each module whose sources have them.
struct AliasFiles {
    private var folders: [URL] = []

    /// Notes that a source names an ambiguous type; `folder` is where it was looked for.
    mutating func add(_ source: URL, in folder: URL) {
        let module = ModuleFolder.packageFolder(of: source) ?? folder
        if !folders.contains(module) { folders.append(module) }
    }

    /// The files to make: none where the sources have such aliases, or the build plugin makes them.
    func files(unless facts: SourceFacts) -> [PortedFile] {
        guard facts.aliases.isDisjoint(with: AliasSource.names) else { return [] }
        return folders.compactMap { folder in
            let path = folder.appendingPathComponent(AliasSource.fileName).path
            guard !FileManager.default.fileExists(atPath: path), !Self.usesPlugin(folder) else { return nil }
            return PortedFile(path: path, before: [], edits: [TextEdit(0..<0, Self.text)])
        }
    }

    /// The plugin's file, for systems where there is no Objective-C.
    private static var text: String { "#if !canImport(ObjectiveC)\n\(AliasSource.file.text)#endif\n" }

    /// Whether the package around a folder uses the plugin that makes the file.
    private static func usesPlugin(_ folder: URL) -> Bool {
        var folder = folder
        while folder.pathComponents.count > 1 {
            if let manifest = try? String(contentsOf: folder.appendingPathComponent("Package.swift"), encoding: .utf8) {
                return manifest.contains("CoreDataModelPlugin")
            }
            folder.deleteLastPathComponent()
        }
        return false
    }
}
