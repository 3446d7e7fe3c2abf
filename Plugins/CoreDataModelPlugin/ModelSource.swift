import Foundation

/// A model's source in a target's folder, as far as the build must know it before the compiler runs.
struct ModelSource {
    let url: URL

    static func isModel(_ url: URL) -> Bool { ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) }

    var name: String { url.deletingPathExtension().lastPathComponent }

    /// Everything that the compiler reads: the folder itself, whose listing counts, and the files in it.
    var inputFiles: [URL] {
        let all = FileManager.default.enumerator(at: url, includingPropertiesForKeys: [.isDirectoryKey])
        let files = (all?.compactMap { $0 as? URL } ?? []).filter { !Self.isFolder($0) && !Self.isEditorOnly($0) }
        return [url] + files.sorted { $0.path < $1.path }
    }

    /// The names of the sources that the compiler is going to write for the model.
    var sourceFileNames: [String] {
        let classes = currentContents.map(EntityOutline.read) ?? []
        return classes.flatMap(\.fileNames).sorted() + [name + "+CoreDataModel.swift"]
    }

    /// The source of the current version: that which the compiler generates classes of.
    private var currentContents: URL? {
        guard let folder = currentVersion else { return nil }
        let contents = folder.appending(path: "contents")
        return FileManager.default.fileExists(atPath: contents.path) ? contents : nil
    }

    private var currentVersion: URL? {
        if url.pathExtension == "xcdatamodel" { return url }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        let versions = names.filter { $0.hasSuffix(".xcdatamodel") }
        let pointer = url.appending(path: ".xccurrentversion")
        if let data = try? Data(contentsOf: pointer),
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any],
            let current = list["_XCCurrentVersionName"] as? String
        {
            return url.appending(path: current)
        }
        if versions.count == 1 { return url.appending(path: versions[0]) }
        return versions.contains(name + ".xcdatamodel") ? url.appending(path: name + ".xcdatamodel") : nil
    }

    private static func isFolder(_ url: URL) -> Bool {
        (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
    }

    /// Where boxes lie in old editors' diagrams: it changes nothing.
    private static func isEditorOnly(_ url: URL) -> Bool { url.lastPathComponent == "layout" }
}
