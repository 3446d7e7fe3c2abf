import CoreDataModeling

/// The file of a model's source while it is edited.
///
/// Invariants:
/// 1. What is written lies inside the package, wherever symbolic links lead.
/// 2. A file that is not what it was when it was read is not written.
/// 3. Whatever fails, the file is as it was.
package struct ModelSourceFile: Sendable {
    /// The requested file.
    package let url: URL
    /// The name of the version; that of the file if it is not in a package.
    package let version: String
    /// The folder that must contain the file.
    private let package: URL
    private var bytes: Data

    /// Reads the source at a path: an `.xcdatamodeld`, of which the current version is taken unless another is named, an
    /// `.xcdatamodel`, or a `contents` file.
    ///
    /// - Throws: `ModelEditError` or `ModelingError` if the place does not contain a source in XML.
    package init(at place: URL, version: String? = nil) throws {
        let location = try Self.location(place, version)
        switch location.form {
        case .source: url = location.file
        case .compiled:
            throw ModelEditError(
                .unsupportedFile, subject: place.path, cause: "a compiled model is not edited",
                hint: "edit its source and compile it again")
        case .binarySource:
            throw ModelEditError(
                .unsupportedFile, subject: place.path, cause: "a source from before Xcode 4 is not edited",
                hint: "'coredata model convert' makes one in XML of it")
        }
        self.version = ModelLocation.versionName(of: url)
        package = Self.package(around: url)
        _ = try Self.target(of: url, in: package)
        bytes = try BoundedFile.read(url, limit: BoundedFile.greatestModelSize)
    }

    private static func location(_ place: URL, _ version: String?) throws -> ModelLocation {
        guard let version else { return try ModelLocation(place) }
        guard place.pathExtension != "xcdatamodel", !place.path.hasSuffix("/contents") else {
            throw ModelEditError(
                .unsupportedFile, subject: place.path, cause: "it has no versions",
                hint: "give the path of the .xcdatamodeld")
        }
        let versions = try SourcePackage(at: place).versions
        guard versions.contains(version) else {
            let near = NameSuggestion(for: version, in: versions)?.question
            throw ModelEditError(
                .unsupportedFile, subject: place.path, cause: "there is no version '\(version)'", hint: near)
        }
        return try ModelLocation(place.appendingPathComponent(version + ".xcdatamodel"))
    }

    /// The outermost folder that belongs to the model.
    private static func package(around file: URL) -> URL {
        var folder = file.deletingLastPathComponent()
        for name in ["xcdatamodel", "xcdatamodeld"] {
            let outer = folder.pathExtension == name ? folder : folder.deletingLastPathComponent()
            if outer.pathExtension == name { folder = outer }
        }
        return folder
    }

    /// The document in the file.
    ///
    /// - Throws: `ModelingError` with path and place.
    package func document() throws -> ModelDocument {
        do { return try ModelDocument(bytes) } catch let error as ModelingError { throw error.at(path: url.path) }
    }

    /// Writes a document; one without a change leaves the file alone.
    ///
    /// - Returns: whether there was a change.
    /// - Throws: `ModelEditError` of code `changedMeanwhile` if others have changed the file, `ModelingError` if it cannot
    ///   be written.
    @discardableResult
    package mutating func write(_ document: ModelDocument) throws -> Bool {
        let data = document.data
        guard data != bytes else { return false }
        let target = try Self.target(of: url, in: package)
        try checkIsUnchanged(target)
        try AtomicFile.write(data, to: target) { try checkIsUnchanged(target) }
        bytes = data
        return true
    }

    /// Whether the file differs from the one that was read, or was removed.
    package var isChangedOutside: Bool {
        (try? BoundedFile.read(url, limit: BoundedFile.greatestModelSize)) != bytes
    }

    /// The file as it is now.
    ///
    /// - Throws: `ModelingError` if it cannot be read.
    package func reread() throws -> ModelSourceFile {
        var copy = self
        copy.bytes = try BoundedFile.read(url, limit: BoundedFile.greatestModelSize)
        return copy
    }

    private func checkIsUnchanged(_ target: URL) throws {
        let present = try? BoundedFile.read(target, limit: BoundedFile.greatestModelSize)
        guard present != bytes else { return }
        throw ModelEditError(
            .changedMeanwhile, subject: url.path, cause: "another program has changed the file since it was read",
            hint: "read it again and repeat the edit")
    }

    /// The file itself behind all symbolic links.
    ///
    /// - Throws: `ModelEditError` of code `unsupportedFile` if it lies outside of the package.
    private static func target(of file: URL, in package: URL) throws -> URL {
        guard let real = realPath(file), let root = realPath(package) else {
            throw ModelingError(.unreadable, "there is no such file").at(path: file.path)
        }
        guard real.hasPrefix(root == "/" ? root : root + "/") else {
            throw ModelEditError(
                .unsupportedFile, subject: file.path,
                cause: "a symbolic link leads out of '\(package.lastPathComponent)', to \(real)",
                hint: "edit the model that it leads to")
        }
        return URL(fileURLWithPath: real)
    }

    private static func realPath(_ url: URL) -> String? {
        guard let path = realpath(url.path, nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }
}
