import CoreDataFoundation

extension ModelLocation {
    /// The versions of the model at a path: the files in a `.momd`, the folders in a `.xcdatamodeld`, otherwise the
    /// path itself.
    package static func versions(in url: URL) -> [URL] {
        let names = BoundedFile.names(in: url)
        guard !names.contains("contents") else { return [url] }
        let compiled = names.filter { $0.hasSuffix(".mom") }
        let sources = names.filter { $0.hasSuffix(sourceExtension) }
        let found = (compiled.isEmpty ? sources : compiled).map { url.appendingPathComponent($0) }
        return found.isEmpty ? [url] : found
    }

    /// The name of a version: the name of its file or folder, without extension.
    package static func versionName(of file: URL) -> String {
        let isInside = ["contents", "elements"].contains(file.lastPathComponent)
        let folder = isInside ? file.deletingLastPathComponent() : file
        return folder.deletingPathExtension().lastPathComponent
    }

    static let sourceExtension = ".xcdatamodel"
}
