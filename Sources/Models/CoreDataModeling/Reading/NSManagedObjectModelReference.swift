import CoreDataFoundation

/// A reference to a version of a model by its checksum, which is resolved when the model is needed.
///
/// The checksum is that of `NSManagedObjectModel.versionChecksum`, which the model compiler and
/// `coredata model versions` print. Must be used on one thread at a time.
///
/// ```swift
/// let reference = NSManagedObjectModelReference(model: oldModel, versionChecksum: oldModel.versionChecksum)
/// print(reference.resolvedModel.entitiesByName.keys.sorted())
/// ```
public final class NSManagedObjectModelReference: NSObject {
    private enum Place {
        case model(NSManagedObjectModel)
        case file(URL)
        case hashes([String: Data], Bundle?)
        case name(String, Bundle?)
    }

    private let place: Place
    /// The checksum that the model must have.
    public let versionChecksum: String
    private var found: NSManagedObjectModel?

    /// Refers to a model in memory.
    public init(model: NSManagedObjectModel, versionChecksum: String) {
        place = .model(model)
        self.versionChecksum = versionChecksum
    }

    /// Refers to a model file, or to the version with the checksum in a package.
    public init(fileURL: URL, versionChecksum: String) {
        place = .file(fileURL)
        self.versionChecksum = versionChecksum
    }

    /// Refers to the version with these hashes, by entity name, in the resources of a bundle, or of the program for
    /// nil.
    public init(entityVersionHashes versionHash: [AnyHashable: Any], in bundle: Bundle?, versionChecksum: String) {
        var hashes: [String: Data] = [:]
        for (name, hash) in versionHash { if let name = name as? String { hashes[name] = hash as? Data } }
        place = .hashes(hashes, bundle)
        self.versionChecksum = versionChecksum
    }

    /// Refers to a version by the name of its file in the resources of a bundle, or of the program for nil.
    public init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
        place = .name(modelName, bundle)
        self.versionChecksum = versionChecksum
    }

    /// The model. Stops the process if it cannot be found, where Apple's framework raises an exception; migrations
    /// throw `NSManagedObjectModelReferenceNotFoundError` instead.
    public var resolvedModel: NSManagedObjectModel {
        do {
            return try resolve()
        } catch {
            stop("\(error.localizedDescription)")
        }
    }

    /// Finds the model at the first call; later calls return the same model.
    ///
    /// - Throws: `NSManagedObjectModelReferenceNotFoundError` if it is not found, or has another checksum.
    package func resolve() throws -> NSManagedObjectModel {
        if let found { return found }
        let candidates = try candidates()
        guard let model = candidates.first(where: { $0.versionChecksum == versionChecksum }) else {
            let other = candidates.first.map { " What is there has the checksum \($0.versionChecksum)." } ?? ""
            throw Self.notFound("No model with the checksum \(versionChecksum) is found \(text).\(other)")
        }
        found = model
        return model
    }

    private func candidates() throws -> [NSManagedObjectModel] {
        switch place {
        case .model(let model): return [model]
        case .file(let url):
            do {
                return try ModelLocation.versions(in: url).map { try NSManagedObjectModel(reading: $0) }
            } catch {
                throw Self.notFound("The model '\(url.path)' cannot be read: \(error.localizedDescription)")
            }
        case .hashes(let hashes, let bundle):
            return ModelVersionFiles.all(in: bundle).compactMap { try? NSManagedObjectModel(reading: $0) }
                .filter { $0.entityVersionHashesByName == hashes }
        case .name(let name, let bundle):
            return ModelVersionFiles.all(in: bundle).filter { ModelLocation.versionName(of: $0) == name }
                .compactMap { try? NSManagedObjectModel(reading: $0) }
        }
    }

    private var text: String {
        switch place {
        case .model: "in the model that was given"
        case .file(let url): "in '\(url.path)'"
        case .hashes(let hashes, _): "with the given hashes of \(hashes.count) entities"
        case .name(let name, _): "under the name '\(name)'"
        }
    }

    private static func notFound(_ text: String) -> NSError {
        NSError(
            domain: NSCocoaErrorDomain, code: NSManagedObjectModelReferenceNotFoundError,
            userInfo: [
                NSLocalizedDescriptionKey: text,
                NSLocalizedRecoverySuggestionErrorKey: "Keep all versions of the model among the program's resources.",
            ])
    }
}

/// Finds the files of all versions of all models in a program's resources.
package enum ModelVersionFiles {
    /// The files in a bundle; for nil in all bundles, beside the executable and in the resource bundles there.
    package static func all(in bundle: Bundle? = nil) -> [URL] {
        files(in: bundle.map { ResourceFolders.folders(of: [$0]) } ?? ResourceFolders.all)
    }

    /// The files at some locations, each a model or a folder with models.
    package static func files(in places: [URL]) -> [URL] {
        places.flatMap { place -> [URL] in
            if isModel(place.lastPathComponent) { return ModelLocation.versions(in: place) }
            return BoundedFile.names(in: place).filter(isModel).flatMap {
                ModelLocation.versions(in: place.appendingPathComponent($0))
            }
        }
    }

    private static func isModel(_ name: String) -> Bool {
        [".momd", ".mom", ".xcdatamodeld", ".xcdatamodel"].contains { name.hasSuffix($0) }
    }
}
