import CoreDataModeling

/// The file of a model source that is edited.
///
/// Invariants:
/// 1. Only a file inside the model's package is written, after resolving symbolic links.
/// 2. A file that another program has changed since it was read is not written.
/// 3. If writing fails, the file is unchanged.
package struct ModelSourceFile: Sendable {
    /// The source's file inside the model, before symbolic links are resolved.
    package let url: URL
    /// The name of the model version: the `.xcdatamodel` folder's without extension, else the file's.
    package let version: String
    /// The folder that must contain the file.
    private let package: URL
    private var bytes: Data

    /// Reads the source at a path: an `.xcdatamodeld`, an `.xcdatamodel`, or a `contents` file.
    ///
    /// - Parameter version: the version of an `.xcdatamodeld`; nil for its current version.
    /// - Throws: `ModelEditError` or `ModelingError` if there is no model source in XML at the path.
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

    /// The outermost folder of the model: its `.xcdatamodeld`, else its `.xcdatamodel`, else the file's own folder.
    private static func package(around file: URL) -> URL {
        var folder = file.deletingLastPathComponent()
        for name in ["xcdatamodel", "xcdatamodeld"] {
            let outer = folder.pathExtension == name ? folder : folder.deletingLastPathComponent()
            if outer.pathExtension == name { folder = outer }
        }
        return folder
    }

    /// The document that was read from the file.
    ///
    /// - Throws: `ModelingError` with path and place if it is not a model source in XML.
    package func document() throws -> ModelDocument {
        do { return try ModelDocument(bytes) } catch let error as ModelingError { throw error.at(path: url.path) }
    }

    /// Replaces the file atomically with a document; does not write a document that equals the file's contents.
    ///
    /// - Returns: whether the file was written.
    /// - Throws: `ModelEditError` of code `changedMeanwhile` if another program has changed the file, `ModelingError`
    ///   if it cannot be written.
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

    /// Whether the file has other contents now than when it was read or written last, or cannot be read.
    package var isChangedOutside: Bool {
        (try? BoundedFile.read(url, limit: BoundedFile.greatestModelSize)) != bytes
    }

    /// A copy of this value with the present contents of the file.
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

    /// The file after resolving all symbolic links.
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
