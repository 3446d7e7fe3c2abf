import CoreData

/// One version of a model.
package struct ModelVersion {
    /// The name of the version's file, without extension.
    package let name: String
    package let model: NSManagedObjectModel
    /// Whether the package names the version as its current one.
    package let isCurrent: Bool
    /// The file from which the version was read.
    package let url: URL

    package init(name: String, model: NSManagedObjectModel, isCurrent: Bool, url: URL) {
        (self.name, self.model, self.isCurrent, self.url) = (name, model, isCurrent, url)
    }
}

/// All versions of the model at a path: those of a `.momd` or `.xcdatamodeld`, or the only one of another model file.
package struct ModelPackage {
    package let url: URL
    /// The versions that can be read, by name.
    package let versions: [ModelVersion]
    /// Why the other versions cannot be read, by their names.
    package let unreadable: [(name: String, reason: String)]
    /// Why the current version cannot be determined; nil if it can.
    private let reason: String?

    /// Reads the versions at a path.
    ///
    /// - Throws: `InspectionError` of code `unreadable` if it does not exist or cannot be read.
    package init(at url: URL) throws {
        self.url = url
        let files = ModelLocation.versions(in: url)
        let located = Result { try ModelLocation(url) }
        let current = (try? located.get())?.file.standardizedFileURL
        if case .failure(let error as ModelingError) = located { reason = error.cause } else { reason = nil }
        var versions: [ModelVersion] = []
        var unreadable: [(String, String)] = []
        var failure: InspectionError?
        for file in files {
            do {
                let model = try Self.read(file)
                let isCurrent = (try? ModelLocation(file))?.file.standardizedFileURL == current
                versions.append(
                    ModelVersion(
                        name: ModelLocation.versionName(of: file), model: model, isCurrent: isCurrent, url: file))
            } catch let error as InspectionError {
                failure = failure ?? error
                unreadable.append((ModelLocation.versionName(of: file), error.cause))
            }
        }
        guard !versions.isEmpty else {
            guard unreadable.count > 1, let first = unreadable.first else {
                throw failure ?? InspectionError(.unreadable, subject: url.path, cause: "it holds no model")
            }
            let names = unreadable.map { "'\($0.0)'" }.joined(separator: ", ")
            throw InspectionError(
                .unreadable, subject: url.path,
                cause: "none of its versions can be read, which are \(names); '\(first.0)': \(first.1)")
        }
        self.versions = versions.sorted { $0.name.localizedStandardCompare($1.name) == .orderedAscending }
        self.unreadable = unreadable
    }

    /// The version that the package names as current, or the only one.
    ///
    /// - Throws: `InspectionError` if the package names none, or one that cannot be read.
    package func current() throws -> ModelVersion {
        if let version = versions.first(where: \.isCurrent) ?? (versions.count == 1 ? versions.first : nil) {
            return version
        }
        let names = versions.map { "'\($0.name)'" }.joined(separator: ", ")
        throw InspectionError(
            .unreadable, subject: url.path, cause: reason ?? "its current version cannot be read",
            hint: "give the path of one version; there are \(names)")
    }

    private static func read(_ file: URL) throws -> NSManagedObjectModel {
        do {
            return try NSManagedObjectModel(reading: file)
        } catch {
            let info = (error as NSError).userInfo
            let reason = info[NSLocalizedFailureReasonErrorKey] as? String ?? ErrorText.line(for: error)
            throw InspectionError(.unreadable, subject: "the model cannot be read", cause: reason)
        }
    }
}
