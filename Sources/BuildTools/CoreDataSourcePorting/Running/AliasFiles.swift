/// The files of type aliases that resolve ambiguous names, for each module whose sources use such names.
struct AliasFiles {
    private var folders: [URL] = []
    /// By module folder: the imported types that its sources use and whose names Foundation declares too, each with its
    /// module.
    private var foreign: [URL: [String: String]] = [:]

    /// The name of the file with aliases for types of imported modules.
    private static let foreignFileName = "LibraryAliases.swift"

    /// Records that a source names an ambiguous type; `folder` stands for the module if no package folder contains the
    /// source.
    mutating func add(_ source: URL, in folder: URL) {
        let module = ModuleFolder.packageFolder(of: source) ?? folder
        if !folders.contains(module) { folders.append(module) }
    }

    /// Records imported types in a source whose names Foundation declares too.
    mutating func add(_ types: [String: String], of source: URL, in folder: URL) {
        guard !types.isEmpty else { return }
        foreign[ModuleFolder.packageFolder(of: source) ?? folder, default: [:]].merge(types) { known, _ in known }
    }

    /// The files with aliases for types of imported modules; a file that exists is not made again.
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

    /// The alias files to make. Those for the library's names are left out if the sources declare such aliases, or for
    /// a module whose build plugin generates the file.
    func files(unless facts: SourceFacts) -> [PortedFile] {
        guard facts.aliases.isDisjoint(with: AliasSource.names) else { return foreignFiles }
        return foreignFiles
            + folders.compactMap { folder in
                let path = folder.appendingPathComponent(AliasSource.fileName).path
                guard !FileManager.default.fileExists(atPath: path), !Self.usesPlugin(folder) else { return nil }
                return PortedFile(path: path, before: [], edits: [TextEdit(0..<0, Self.text)])
            }
    }

    /// The text of the file that the plugin would generate, behind `#if !canImport(ObjectiveC)`.
    private static var text: String { "#if !canImport(ObjectiveC)\n\(AliasSource.file.text)#endif\n" }

    /// Whether the package manifest above a module folder gives its target the plugin that generates the file.
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
