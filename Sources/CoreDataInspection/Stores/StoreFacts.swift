import CoreData

/// What a store says of itself without its model.
package struct StoreFacts {
    package let url: URL
    package let type: NSPersistentStore.StoreType
    /// The store's own metadata, with Core Data's keys and the application's.
    package let metadata: [String: Any]
    /// The bytes of the file, and of the `-wal` beside it if there is one.
    package let size: Int
    package let walSize: Int?

    /// Reads a store's metadata; changes nothing.
    ///
    /// - Throws: `InspectionError` of code `unreadable`.
    package init(at url: URL) throws {
        self.url = url
        type = StoreKind.type(of: url)
        do {
            metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: type, at: url)
        } catch {
            throw InspectionError.unreadable(url, error)
        }
        size = Self.size(url.path) ?? 0
        walSize = Self.size(url.path + "-wal")
    }

    package var uuid: String? { metadata[NSStoreUUIDKey] as? String }

    /// The number of the framework's version that wrote the store, such as 1344.
    package var frameworkVersion: Int? { (metadata["NSPersistenceFrameworkVersion"] as? NSNumber)?.intValue }

    /// The version hash of each entity that the store keeps.
    package var hashes: [String: Data] { metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:] }

    /// The checksum of the model that the store was made with; older stores have none.
    package var checksum: String? { metadata[NSPersistentStoreModelVersionChecksumKey] as? String }

    /// The version identifiers of the model that the store was made with.
    package var versionIdentifiers: [String] {
        (metadata[NSStoreModelVersionIdentifiersKey] as? [Any] ?? []).map { "\($0)" }
    }

    private static func size(_ path: String) -> Int? {
        let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        return (try? FileManager.default.attributesOfItem(atPath: resolved))?[.size].flatMap {
            ($0 as? NSNumber)?.intValue
        }
    }
}

/// Tells the kind of a store from the first bytes of its file.
enum StoreKind {
    /// SQLite unless the file says otherwise and the program has that kind of store.
    static func type(of url: URL) -> NSPersistentStore.StoreType {
        // Only a regular file is opened: a pipe would make the program wait for its other end.
        guard isRegularFile(url), let handle = FileHandle(forReadingAtPath: url.resolvingSymlinksInPath().path)
        else { return .sqlite }
        defer { try? handle.close() }
        let start = String(decoding: (try? handle.read(upToCount: 16)) ?? Data(), as: UTF8.self)
        let known = NSPersistentStoreCoordinator.registeredStoreTypes
        if start.hasPrefix("<?xml"), known[NSXMLStoreType] != nil { return .xml }
        if start.hasPrefix("bplist"), known[NSBinaryStoreType] != nil { return .binary }
        return .sqlite
    }

    /// Whether a path leads to a regular file, also over symbolic links.
    static func isRegularFile(_ url: URL) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
        return attributes?[.type] as? FileAttributeType == .typeRegular
    }
}

extension InspectionError {
    /// The error for a store that cannot be used; its path stands once in the line.
    static func unreadable(_ url: URL, _ error: any Error) -> InspectionError {
        if let error = error as? InspectionError { return error }
        let info = (error as NSError).userInfo
        let text = ErrorText.line(for: error).replacing("The store '\(url.path)' ", with: "the store ")
        let reason = info[NSFilePathErrorKey] == nil ? nil : info[NSLocalizedFailureReasonErrorKey] as? String
        let hint = reason == nil ? nil : info[NSLocalizedRecoverySuggestionErrorKey] as? String
        return InspectionError(.unreadable, url.path, reason ?? text, hint: hint)
    }
}
