import CoreDataModeling

/// A folder of generated files; only changed files are written, so that the others need not be built again.
package struct SourceFolder {
    let url: URL

    package init(url: URL) { self.url = url }

    /// Writes these files into the folder and removes all other Swift sources from it.
    ///
    /// - Throws: `ModelingError` `.unwritable`.
    package func write(_ files: [GeneratedFile]) throws {
        try makeFolder(url)
        let names = Set(files.map(\.name))
        for name in Self.names(in: url) where name.hasSuffix(".swift") && !names.contains(name) {
            try? FileManager.default.removeItem(at: url.appendingPathComponent(name))
        }
        for file in files { try Self.write(Data(file.text.utf8), to: url.appendingPathComponent(file.name)) }
    }

    /// Writes a file unless it already has the same bytes.
    static func write(_ data: Data, to file: URL) throws {
        guard (try? Data(contentsOf: file)) != data else { return }
        try AtomicFile.write(data, to: file)
    }

    private static func names(in folder: URL) -> [String] {
        // If the folder cannot be listed, writing into it will fail with an error.
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    private func makeFolder(_ url: URL) throws {
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            throw ModelingError(.unwritable, error.localizedDescription).at(path: url.path)
        }
    }
}
