import CoreDataFoundation

/// The `VersionInfo.plist` of a compiled, versioned model (`.momd`).
package struct VersionInformation: Sendable {
    /// The name of the current version, without extension.
    package var currentVersion: String
    /// The hashes of each version's entities.
    package var hashesByVersion: [String: [String: Data]]
    /// The checksum of each version; empty in older models.
    package var checksumsByVersion: [String: String]

    /// Reads the information of a `.momd` folder.
    ///
    /// - Throws: `ModelingError` if the file is missing, damaged, or names a version that is not a plain file name.
    package init(momd folder: URL) throws {
        let url = folder.appendingPathComponent("VersionInfo.plist")
        do {
            let data = try BoundedFile.read(url, limit: BoundedFile.greatestModelSize)
            try self.init(ModelingError.ofArchive { try PropertyList(binary: data) })
        } catch let error as ModelingError {
            throw error.at(path: url.path)
        }
    }

    init(_ plist: PropertyList) throws {
        guard let values = plist.dictionary, let name = values["NSManagedObjectModel_CurrentVersionName"]?.string else {
            throw ModelingError(.malformed, "the version information names no current version")
        }
        // The name becomes part of a path, which must not lead out of the folder.
        guard !name.isEmpty, !name.contains("/"), !name.contains("\0"), name != ".", name != ".." else {
            throw ModelingError(.malformed, "the version information names the impossible version '\(name)'")
        }
        currentVersion = name
        hashesByVersion = (values["NSManagedObjectModel_VersionHashes"]?.dictionary ?? [:]).compactMapValues {
            version in
            version.dictionary?.compactMapValues(\.data)
        }
        checksumsByVersion =
            (values["NSManagedObjectModel_VersionChecksums"]?.dictionary ?? [:]).compactMapValues(\.string)
    }
}
