import CoreDataFoundation

/// Versions of a model that are written as a `.momd`: a folder with a `.mom` for each and `VersionInfo.plist`.
package struct CompiledModelPackage {
    /// The models by the names of their versions.
    package let versions: [String: NSManagedObjectModel]
    /// The name of the version that is read by default.
    package let currentVersion: String

    /// - Throws: `ModelingError` `.invalidModel` if there is no current version of that name, or a name cannot be a
    ///   file name.
    package init(versions: [String: NSManagedObjectModel], currentVersion: String) throws {
        guard versions[currentVersion] != nil else {
            throw ModelingError(.invalidModel, "there is no version '\(currentVersion)' to be the current one")
        }
        for name in versions.keys where !Self.isFileName(name) {
            throw ModelingError(.invalidModel, "a version cannot be named '\(name)'")
        }
        self.versions = versions
        self.currentVersion = currentVersion
    }

    private static func isFileName(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && !name.contains("/") && !name.contains("\0") && name.utf8.count <= 200
    }

    /// Writes the folder, and replaces an existing one. The folder never has its name while it is incomplete.
    ///
    /// For a moment between removing the old folder and renaming the new one, neither exists.
    /// - Throws: `ModelingError` with the path: `.invalidModel` if something other than such a folder exists there,
    ///   `.unreadable` if writing fails; what existed before is then unchanged.
    package func write(to url: URL) throws {
        do {
            let files = try contents()
            try PackageReplacement(url: url).write(files)
        } catch let error as ModelingError {
            throw error.at(path: url.path)
        }
    }

    /// The files of the folder by name.
    package func contents() throws -> [String: Data] {
        var files = ["VersionInfo.plist": versionInformation.binaryData]
        for (name, model) in versions { files[name + ".mom"] = try model.compiledData() }
        return files
    }

    private var versionInformation: PropertyList {
        .dictionary([
            "NSManagedObjectModel_CurrentVersionName": .string(currentVersion),
            "NSManagedObjectModel_VersionHashes": .dictionary(
                versions.mapValues { .dictionary($0.entityVersionHashesByName.mapValues { .data($0) }) }),
            "NSManagedObjectModel_VersionChecksums": .dictionary(versions.mapValues { .string($0.versionChecksum) }),
        ])
    }
}
