import CoreData

extension ModelPackage {
    /// The versions with their checksums and version identifiers, and those that cannot be read.
    package var versionReport: JSONValue {
        let readable = versions.map { version in
            JSONValue.object([
                ("name", .string(version.name)), ("isCurrent", .bool(version.isCurrent)),
                ("checksum", .string(version.model.versionChecksum)),
                ("versionIdentifiers", .array(version.model.versionIdentifierTexts.map { .string($0) })),
                ("entities", .count(version.model.entities.count)),
            ])
        }
        let others = unreadable.map { JSONValue.object([("name", .string($0.name)), ("reason", .string($0.reason))]) }
        return .object([("versions", .array(readable)), ("unreadable", .array(others))])
    }

    /// Whether there is a compiled model at a path.
    package static func isCompiled(_ url: URL) -> Bool {
        ModelLocation.versions(in: url).contains { $0.pathExtension == "mom" }
    }
}

extension NSManagedObjectModel {
    /// The version identifiers that are not empty, sorted.
    package var versionIdentifierTexts: [String] {
        versionIdentifiers.map { "\($0.base)" }.filter { !$0.isEmpty }.sorted()
    }
}
