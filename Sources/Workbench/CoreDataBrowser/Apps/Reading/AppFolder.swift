import CoreData

/// The folder of an application. Finds files by the names that the application's lists contain.
///
/// The names are untrusted: one that leads out of the folder is refused. Only the name of the model may lead out of it,
/// to a file that is then read as a model and shown in no other way.
struct AppFolder {
    /// A property list of more bytes is refused.
    private static let greatestSize: Int64 = 4 << 20
    private static let greatestPicture = 1 << 20
    /// The first bytes of each PNG file.
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    let url: URL

    /// - Throws: `InspectionError` of code `unreadable` if the folder does not exist.
    init(url: URL) throws {
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue else {
            throw InspectionError(.unreadable, subject: url.path, cause: "there is no such folder")
        }
        self.url = url
    }

    /// Reads a property list by its name, with or without `.plist`.
    ///
    /// - Throws: `InspectionError` of code `unreadable`.
    func list(_ name: String) throws -> PropertyList {
        let file = try file(name.hasSuffix(".plist") ? name : name + ".plist")
        let facts = try? FileManager.default.attributesOfItem(atPath: file.path)
        if let size = (facts?[.size] as? NSNumber)?.int64Value, size > Self.greatestSize {
            throw InspectionError(
                .unreadable, subject: name, cause: "it has more than \(Self.greatestSize >> 20) megabytes")
        }
        return try PropertyListFile(at: file).list
    }

    /// Whether there is a list of a name.
    func hasList(_ name: String) -> Bool {
        guard let file = try? file(name.hasSuffix(".plist") ? name : name + ".plist") else { return false }
        return FileManager.default.fileExists(atPath: file.path)
    }

    /// The bytes of a PNG file by its name, with or without `.png`; nil if it does not exist or exceeds 1 MiB.
    func picture(_ name: String) -> Data? {
        guard let file = try? file(name.hasSuffix(".png") ? name : name + ".png"),
            let size = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize, size <= Self.greatestPicture,
            let data = try? Data(contentsOf: file), data.starts(with: Self.signature)
        else { return nil }
        return data
    }

    /// The URL of a file in the folder; the file need not exist.
    ///
    /// - Throws: `InspectionError` of code `unreadable` for a name that leads out of the folder.
    func file(_ name: String) throws -> URL {
        let steps = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !steps.isEmpty, steps.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." && !$0.contains("\0") }) else {
            throw outside(name)
        }
        let file = url.appendingPathComponent(name)
        guard contains(file.deletingLastPathComponent()), !isLink(file) || contains(file) else { throw outside(name) }
        return file
    }

    /// The URL of a file in the folder, as ``file(_:)`` finds it; the folders on the way are made.
    ///
    /// - Throws: `InspectionError` of code `unreadable` for a name that leads out of the folder, or a folder that cannot be made.
    func makingFolders(for name: String) throws -> URL {
        let steps = name.split(separator: "/", omittingEmptySubsequences: false)
        for count in steps.indices.dropFirst() {
            let folder = try file(steps[..<count].joined(separator: "/"))
            guard !FileManager.default.fileExists(atPath: folder.path) else { continue }
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            } catch {
                throw InspectionError(.unreadable, subject: name, cause: ErrorText.line(for: error))
            }
        }
        return try file(name)
    }

    /// Whether an existing file lies in the folder once links are followed.
    private func contains(_ file: URL) -> Bool {
        let root = url.resolvingSymlinksInPath().path
        let path = file.resolvingSymlinksInPath().path
        return FileManager.default.fileExists(atPath: path)
            && (path == root || path.hasPrefix(root.hasSuffix("/") ? root : root + "/"))
    }

    private func isLink(_ file: URL) -> Bool {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: file.path)) != nil
    }

    /// The URL of a model, which may be outside the folder.
    ///
    /// - Throws: `InspectionError` of code `unreadable` for an absolute path, a path without a model's extension, and a
    ///   file that does not exist.
    func model(_ name: String) throws -> URL {
        let file = URL(fileURLWithPath: name, relativeTo: url.appendingPathComponent("/")).standardizedFileURL
        guard !name.hasPrefix("/"), ["xcdatamodeld", "xcdatamodel", "momd", "mom", "omo"].contains(file.pathExtension)
        else { throw outside(name, hint: "it is the path of an .xcdatamodeld or .momd, as seen from the folder") }
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw InspectionError(.unreadable, subject: name, cause: "there is no such model beside Application.plist")
        }
        return file
    }

    private func outside(_ name: String, hint: String = "it is the name of a file in the application's folder")
        -> InspectionError
    {
        InspectionError(
            .unreadable, subject: PrintableText.escaped(name, limit: 120),
            cause: "the name leads out of the application's folder",
            hint: hint)
    }
}
