import CoreDataFoundation

/// The location of the model at a URL: the file to read and its form.
///
/// | what | form |
/// |---|---|
/// | `X.xcdatamodeld/` | the version named in `.xccurrentversion`, or the only one, or that named `X`, with a warning |
/// | `X.xcdatamodel/` | `contents`: XML; `elements`: the binary form before Xcode 4 |
/// | `X.momd/` | the version that `VersionInfo.plist` names |
/// | `X.mom` | compiled |
/// | a file of XML | source |
/// | a file `elements` | the binary form before Xcode 4 |
package struct ModelLocation: Hashable, Sendable {
    package enum Form: Hashable, Sendable {
        case source
        case binarySource
        case compiled
    }

    package var file: URL
    package var form: Form
    /// The warning if there are several versions and no file names the current one.
    package private(set) var warning: String?

    /// Finds the file of the model at a URL.
    ///
    /// - Throws: `ModelingError` with the path.
    package init(_ url: URL) throws {
        do {
            self = try Self.locate(url)
        } catch let error as ModelingError {
            throw error.at(path: url.path)
        }
    }

    private init(file: URL, form: Form) {
        self.file = file
        self.form = form
    }

    private static func locate(_ url: URL) throws -> ModelLocation {
        guard BoundedFile.exists(url) else { throw ModelingError(.unreadable, "there is no such file") }
        guard BoundedFile.isDirectory(url) else { return try file(url) }
        let names = BoundedFile.names(in: url)
        if names.contains("contents") {
            return ModelLocation(file: url.appendingPathComponent("contents"), form: .source)
        }
        if names.contains("elements") {
            return ModelLocation(file: url.appendingPathComponent("elements"), form: .binarySource)
        }
        if names.contains("VersionInfo.plist") {
            let version = try VersionInformation(momd: url).currentVersion
            return ModelLocation(file: url.appendingPathComponent(version + ".mom"), form: .compiled)
        }
        let versions = names.filter { $0.hasSuffix(".xcdatamodel") }
        guard !versions.isEmpty else { throw ModelingError(.unsupportedForm, "the folder holds no model") }
        let current = try currentVersion(in: url, of: versions)
        var location = try locate(url.appendingPathComponent(current))
        if versions.count > 1, !BoundedFile.exists(url.appendingPathComponent(pointerName)) {
            location.warning =
                "there are \(versions.count) versions and no \(pointerName) that names one; '\(current)' is taken for "
                + "the current one, since it has the package's name"
        }
        return location
    }

    private static let pointerName = ".xccurrentversion"

    private static func file(_ url: URL) throws -> ModelLocation {
        let start = String(decoding: try BoundedFile.start(of: url, count: 256), as: UTF8.self)
        if start.hasPrefix("bplist") {
            return ModelLocation(file: url, form: url.lastPathComponent == "elements" ? .binarySource : .compiled)
        }
        if start.hasPrefix("momv") {
            throw ModelingError(
                .unsupportedForm, "the file is an optimised model (.omo)", hint: "read the .mom beside it")
        }
        guard start.drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" }).hasPrefix("<") else {
            throw ModelingError(.unsupportedForm, "the file is neither a compiled model nor a model's source")
        }
        return ModelLocation(file: url, form: .source)
    }

    /// The name of the folder of the current version in a versioned source.
    package static func currentVersion(in container: URL, of versions: [String]) throws -> String {
        let pointer = container.appendingPathComponent(pointerName)
        guard BoundedFile.exists(pointer) else {
            let own = container.deletingPathExtension().lastPathComponent + ".xcdatamodel"
            if versions.count == 1 { return versions[0] }
            if versions.contains(own) { return own }
            throw ModelingError(
                .malformed, "there are \(versions.count) versions and no .xccurrentversion that names one")
        }
        let data = try BoundedFile.read(pointer, limit: 64 << 10)
        guard let name = CurrentVersionFile.name(in: data) else {
            throw ModelingError(.malformed, ".xccurrentversion names no version")
        }
        guard versions.contains(name) else {
            throw ModelingError(.malformed, ".xccurrentversion names '\(name)', which is not there")
        }
        return name
    }
}
