import Foundation
import PackagePlugin

/// What earlier builds made of models that a target has no more.
///
/// The package manager leaves the products of a command that is gone, and copies of them in bundles: a program that merges
/// all models of its bundle would find a model that nobody has.
struct FormerModels {
    /// The plugin's folder for the target.
    private let folder: URL
    private let target: any SourceModuleTarget

    init(folder: URL, target: any SourceModuleTarget) { (self.folder, self.target) = (folder, target) }

    /// Removes what is left of models and mapping models but for some, which are named with their extensions.
    func remove(besides names: [String]) {
        let manager = FileManager.default
        let made = (try? manager.contentsOfDirectory(atPath: folder.path)) ?? []
        // What the target has as a resource of its own does not belong to the plugin.
        let resources = Set(target.sourceFiles.map(\.url.lastPathComponent))
        for name in made where [".momd", ".cdm"].contains(where: name.hasSuffix) && !names.contains(name) {
            try? manager.removeItem(at: folder.appending(path: name))
            if name.hasSuffix(".momd") { try? manager.removeItem(at: folder.appending(path: String(name.dropLast(5)))) }
            guard !resources.contains(name) else { continue }
            for bundle in bundles { try? manager.removeItem(at: bundle.appending(path: name)) }
        }
    }

    /// The target's bundles in the products of all configurations: `debug/Package_Target.resources`.
    private var bundles: [URL] {
        let manager = FileManager.default
        // The folder is `plugins/outputs/package/Target/destination/CoreDataModelPlugin` below the products.
        var products = folder
        for _ in 0..<6 { products.deleteLastPathComponent() }
        func contents(_ folder: URL) -> [URL] {
            ((try? manager.contentsOfDirectory(atPath: folder.path)) ?? []).map { folder.appending(path: $0) }
        }
        let configurations = contents(products).flatMap { [$0] + contents($0) }
            .filter { ["debug", "release"].contains($0.lastPathComponent) }
        return configurations.flatMap(contents).filter { url in
            ["resources", "bundle"].contains(url.pathExtension)
                && url.deletingPathExtension().lastPathComponent.hasSuffix("_" + target.name)
        }
    }
}
