import CoreData

/// Determines which versions of a source package the given stores need, and removes the others.
///
/// Invariant: the current version, the needed ones and those that cannot be read are never removed.
package struct ModelPruning {
    package struct Version {
        package let name: String
        package let isCurrent: Bool
        /// The paths of the stores that need this version: they have its version hashes, and it is the current version
        /// or the last one that matches.
        package internal(set) var stores: [String]
        /// Why the version is kept although no store needs it, such as an unreadable file; nil if there is no such
        /// reason.
        package let reason: String?

        package var isNeeded: Bool { isCurrent || !stores.isEmpty || reason != nil }
    }

    private let package: SourcePackage
    package private(set) var versions: [Version]

    /// Compares the versions of a package with the hashes of stores.
    ///
    /// A store needs one version: the current one if its hashes match those of the store, else the last that matches.
    /// - Throws: `InspectionError` or `ModelingError` if a store or the package cannot be read, or no version has the
    /// hashes
    ///   of a store.
    package init(_ url: URL, stores: [URL]) throws {
        package = try SourcePackage(at: url)
        let current = try package.current()
        let models = try ModelPackage(at: url)
        versions = package.versions.map { name in
            let reason = models.unreadable.first { $0.name == name }.map { "it cannot be read: \($0.reason)" }
            return Version(name: name, isCurrent: name == current, stores: [], reason: reason)
        }
        for store in stores {
            let hashes = try StoreFacts(at: store).hashes
            let fits = models.fits(hashes: hashes)
            let matching = fits.filter(\.matches).map(\.version.name)
            guard !hashes.isEmpty, let needed = matching.first(where: { $0 == current }) ?? matching.last else {
                throw Self.unknown(store, fits, hasHashes: !hashes.isEmpty)
            }
            for index in versions.indices where versions[index].name == needed {
                versions[index].stores.append(store.path)
            }
        }
    }

    private static func unknown(_ store: URL, _ fits: [ModelFit], hasHashes: Bool) -> InspectionError {
        guard hasHashes else {
            return InspectionError(
                .modelMismatch, subject: store.path,
                cause: "the store keeps no version hashes, so its version is unknown")
        }
        let near = fits.min { $0.differences.count < $1.differences.count }
        return InspectionError(
            .modelMismatch, subject: store.path, cause: "no version of the model has the hashes of the store",
            hint: near.map { "'\($0.version.name)' is nearest: \($0.differenceText)" })
    }

    /// The versions that no store needs.
    package var removable: [String] { versions.filter { !$0.isNeeded }.map(\.name) }

    /// Removes the versions that no store needs.
    ///
    /// - Throws: `ModelingError`; the versions before the one that failed stay removed.
    package func run() throws { for name in removable { try package.remove(name) } }

    /// The versions as JSON; `isDone` says whether `run()` has removed those that are not needed.
    package func report(isDone: Bool) -> JSONValue {
        .object([
            (
                "versions",
                .array(
                    versions.map { version in
                        .object([
                            ("name", .string(version.name)), ("isCurrent", .bool(version.isCurrent)),
                            ("stores", .array(version.stores.map { .string($0) })), ("reason", .text(version.reason)),
                            ("isNeeded", .bool(version.isNeeded)), ("isRemoved", .bool(isDone && !version.isNeeded)),
                        ])
                    })
            )
        ])
    }
}
