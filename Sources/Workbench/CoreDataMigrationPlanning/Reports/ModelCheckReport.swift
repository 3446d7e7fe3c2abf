import CoreData

/// The problems found in the versions of a model, or in the model that a store contains.
package struct ModelCheckReport {
    /// A version with its findings.
    package struct Version {
        package let name: String
        /// The path of the file that the findings' places refer to; relative if the file is inside the current
        /// directory.
        package let path: String
        package let findings: [ModelFinding]

        package init(name: String, path: String, findings: [ModelFinding]) {
            (self.name, self.path, self.findings) = (name, path, findings)
        }
    }

    package let versions: [Version]

    /// Checks the named version of a model, or all versions if `version` is nil; for a store, the model that it
    /// contains.
    ///
    /// - Throws: `InspectionError` if the file or the version does not exist, or the store does not contain a model.
    package init(at url: URL, version: String? = nil, options: ModelCheckOptions = .init()) throws {
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw InspectionError(.unreadable, subject: url.path, cause: "there is no such file")
        }
        if Self.isDatabase(url) {
            versions = [try Self.version(ofStore: url, options)]
        } else {
            let package = version == nil ? ModelCheck.packageFinding(at: url, options: options) : nil
            versions = try Self.files(at: url, version: version).map { file in
                var (place, findings) = ModelCheck.findings(at: file, options: options)
                if let package, package.file.standardizedFileURL == place.standardizedFileURL {
                    findings.append(package.finding)
                }
                return Version(
                    name: ModelLocation.versionName(of: file), path: Self.shortPath(place), findings: findings)
            }
        }
    }

    /// Findings about models that were read from other files than those of models.
    package init(_ versions: [Version]) { self.versions = versions }

    package func count(_ severity: ModelRule.Severity) -> Int {
        versions.reduce(0) { count, version in
            count + version.findings.count { $0.rule.severity == severity }
        }
    }

    // MARK: Versions

    private static func files(at url: URL, version: String?) throws -> [URL] {
        let files = ModelLocation.versions(in: url).sorted { left, right in
            let names = [left, right].map(ModelLocation.versionName(of:))
            return names[0].localizedStandardCompare(names[1]) == .orderedAscending
        }
        guard let version else { return files }
        let chosen = files.filter { ModelLocation.versionName(of: $0) == version }
        guard chosen.isEmpty else { return chosen }
        let known = files.map(ModelLocation.versionName(of:))
        let names = known.map { "'\($0)'" }.joined(separator: ", ")
        throw InspectionError(
            .unreadable, subject: url.path, cause: "there is no version '\(version)'",
            hint: NameSuggestion(for: version, in: known)?.question ?? "there are \(names)")
    }

    private static func version(ofStore url: URL, _ options: ModelCheckOptions) throws -> Version {
        let model = try OpenStore.model(at: nil, for: StoreFacts(at: url)).model
        return Version(
            name: url.lastPathComponent, path: shortPath(url),
            findings: ModelCheck.findings(in: model, options: options))
    }

    private static func isDatabase(_ url: URL) -> Bool {
        !url.hasDirectoryPath && ModelOrigin.isDatabase(url)
    }

    package static func shortPath(_ url: URL) -> String {
        let folder = FileManager.default.currentDirectoryPath + "/"
        return url.path.hasPrefix(folder) ? String(url.path.dropFirst(folder.count)) : url.path
    }
}
