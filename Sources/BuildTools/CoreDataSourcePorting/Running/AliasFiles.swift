/// The files that settle ambiguous names, one for each module whose sources have them.
struct AliasFiles {
    private var folders: [URL] = []
    /// Types of other modules whose names Foundation has too, with their modules, by the folder of the module.
    private var foreign: [URL: [String: String]] = [:]

    /// The name of the file about types of other modules.
    private static let foreignFileName = "LibraryAliases.swift"

    /// Notes that a source names an ambiguous type; `folder` is where it was looked for.
    mutating func add(_ source: URL, in folder: URL) {
        let module = ModuleFolder.packageFolder(of: source) ?? folder
        if !folders.contains(module) { folders.append(module) }
    }

    /// Notes types of other modules that a source names.
    mutating func add(_ types: [String: String], of source: URL, in folder: URL) {
        guard !types.isEmpty else { return }
        foreign[ModuleFolder.packageFolder(of: source) ?? folder, default: [:]].merge(types) { known, _ in known }
    }

    /// The files about types of other modules.
    private var foreignFiles: [PortedFile] {
        foreign.sorted { $0.key.path < $1.key.path }.compactMap { folder, types in
            let path = folder.appendingPathComponent(Self.foreignFileName).path
            guard !FileManager.default.fileExists(atPath: path) else { return nil }
            let imports = Set(types.values).sorted().map { "import \($0)\n" }.joined()
            let lines = types.sorted { $0.key < $1.key }.map { "typealias \($0) = \($1).\($0)\n" }.joined()
            let text = "// What these names mean in the module: Foundation has types of the same names.\n"
            return PortedFile(
                path: path, before: [],
                edits: [TextEdit(0..<0, "#if !canImport(ObjectiveC)\n\(text)\n\(imports)\n\(lines)#endif\n")])
        }
    }

    /// The files to make: none where the sources have such aliases, or the build plugin makes them.
    func files(unless facts: SourceFacts) -> [PortedFile] {
        guard facts.aliases.isDisjoint(with: AliasSource.names) else { return foreignFiles }
        return foreignFiles
            + folders.compactMap { folder in
                let path = folder.appendingPathComponent(AliasSource.fileName).path
                guard !FileManager.default.fileExists(atPath: path), !Self.usesPlugin(folder) else { return nil }
                return PortedFile(path: path, before: [], edits: [TextEdit(0..<0, Self.text)])
            }
    }

    /// The plugin's file, for systems where there is no Objective-C.
    private static var text: String { "#if !canImport(ObjectiveC)\n\(AliasSource.file.text)#endif\n" }

    /// Whether the package around a folder uses the plugin that makes the file.
    private static func usesPlugin(_ folder: URL) -> Bool {
        let module = folder.lastPathComponent
        var folder = folder
        while folder.pathComponents.count > 1 {
            if let manifest = try? String(contentsOf: folder.appendingPathComponent("Package.swift"), encoding: .utf8) {
                return PackageManifest(manifest).usesPlugin(module)
            }
            folder.deleteLastPathComponent()
        }
        return false
    }
}
