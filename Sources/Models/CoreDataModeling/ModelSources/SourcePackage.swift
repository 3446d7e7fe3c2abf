import CoreDataFoundation

/// The versioned source of a model, an `.xcdatamodeld`, which can be read, edited and extended by versions.
///
/// Invariant: if an operation fails, each file has either its former or its new contents, never a part of them.
package struct SourcePackage {
    package let url: URL

    /// Opens a package.
    ///
    /// - Throws: `ModelingError` if the path is not a folder with a version.
    package init(at url: URL) throws {
        self.url = url
        guard BoundedFile.exists(url) else {
            throw ModelingError(.unreadable, "there is no such file").at(path: url.path)
        }
        guard BoundedFile.isDirectory(url), !versions.isEmpty else {
            throw ModelingError(
                .unsupportedForm, "it is no versioned source of a model",
                hint: "give the path of an .xcdatamodeld folder"
            ).at(path: url.path)
        }
    }

    /// The names of the versions, with numbers sorted by value: 'M 2' before 'M 10'.
    package var versions: [String] {
        BoundedFile.names(in: url).filter { $0.hasSuffix(ModelLocation.sourceExtension) }
            .map { String($0.dropLast(ModelLocation.sourceExtension.count)) }
            .sorted { $0.localizedStandardCompare($1) == .orderedAscending }
    }

    /// The name of the current version.
    ///
    /// - Throws: `ModelingError` if the current version cannot be determined, or does not exist.
    package func current() throws -> String {
        do {
            let folders = versions.map { $0 + ModelLocation.sourceExtension }
            let folder = try ModelLocation.currentVersion(in: url, of: folders)
            return String(folder.dropLast(ModelLocation.sourceExtension.count))
        } catch let error as ModelingError {
            throw error.at(path: url.path)
        }
    }

    // MARK: Documents

    /// Reads the source of a version.
    ///
    /// - Throws: `ModelingError` with path and position.
    package func document(of version: String) throws -> ModelDocument {
        try ModelDocument(at: try folder(of: version))
    }

    /// Writes the source of a version; if the document is unchanged, the file is not written.
    ///
    /// - Throws: `ModelingError`; the file is then unchanged.
    package func write(_ document: ModelDocument, to version: String) throws {
        let file = try folder(of: version).appendingPathComponent("contents")
        let data = document.data
        if let present = try? BoundedFile.read(file, limit: BoundedFile.greatestModelSize), present == data { return }
        try AtomicFile.write(data, to: file)
    }

    // MARK: Versions

    /// Makes a version the current one.
    ///
    /// - Throws: `ModelingError` if the version does not exist or `.xccurrentversion` cannot be written.
    package func setCurrent(_ version: String) throws {
        let folder = try folder(of: version).lastPathComponent
        let pointer = url.appendingPathComponent(".xccurrentversion")
        guard BoundedFile.exists(pointer) else {
            return try AtomicFile.write(CurrentVersionFile.data(naming: folder), to: pointer)
        }
        let present = try BoundedFile.read(pointer, limit: CurrentVersionFile.greatestSize)
        let data = CurrentVersionFile.data(present, naming: folder) ?? CurrentVersionFile.data(naming: folder)
        if data != present { try AtomicFile.write(data, to: pointer) }
    }

    /// Adds a version as a copy of another one; the current version does not change.
    ///
    /// - Throws: `ModelingError` if the name is used or not a file name, or copying fails; no version is then added.
    package func add(_ version: String, copyOf original: String) throws {
        guard Self.isFileName(version) else {
            throw ModelingError(.invalidModel, "'\(version)' cannot be the name of a version").at(path: url.path)
        }
        let source = try folder(of: original)
        let target = url.appendingPathComponent(version + ModelLocation.sourceExtension)
        guard !BoundedFile.exists(target) else {
            throw ModelingError(.invalidModel, "there is a version '\(version)' already").at(path: url.path)
        }
        // A package with one version need not have `.xccurrentversion`, one with several must.
        let current = try current()
        try setCurrent(current)
        try AtomicFile.copyFolder(source, to: target)
    }

    /// Removes a version, which must not be the current one.
    ///
    /// - Throws: `ModelingError` if the version does not exist, is the current one, or cannot be removed.
    package func remove(_ version: String) throws {
        let folder = try folder(of: version)
        let current = try current()
        guard version != current else {
            throw ModelingError(
                .invalidModel, "'\(version)' is the current version", hint: "make another one current first"
            )
            .at(path: url.path)
        }
        // A package with one version need not have `.xccurrentversion`, one with several must.
        try setCurrent(current)
        try AtomicFile.removeFolder(folder)
    }

    /// Creates a package with one version.
    ///
    /// - Throws: `ModelingError` if the path exists, or writing fails; nothing is then left there.
    package static func create(at url: URL, version: String, document: ModelDocument) throws -> SourcePackage {
        guard isFileName(version), !BoundedFile.exists(url) else {
            throw ModelingError(.invalidModel, "there is something at the path, or the version's name is impossible")
                .at(path: url.path)
        }
        do {
            let folder = url.appendingPathComponent(version + ModelLocation.sourceExtension)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try AtomicFile.write(document.data, to: folder.appendingPathComponent("contents"))
            let package = try SourcePackage(at: url)
            try package.setCurrent(version)
            return package
        } catch {
            try? FileManager.default.removeItem(at: url)
            throw error as? ModelingError
                ?? ModelingError(.unwritable, "writing failed: \(error.localizedDescription)").at(path: url.path)
        }
    }

    private func folder(of version: String) throws -> URL {
        guard versions.contains(version) else {
            throw ModelingError(.invalidModel, "there is no version '\(version)'").at(path: url.path)
        }
        return url.appendingPathComponent(version + ModelLocation.sourceExtension)
    }

    private static func isFileName(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 200 && MarkupText.isAllowed(name)
            && name.unicodeScalars.allSatisfy { $0 != "/" && $0.value >= 0x20 }
    }
}
