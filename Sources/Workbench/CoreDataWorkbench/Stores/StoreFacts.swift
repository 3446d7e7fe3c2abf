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

    /// Why the metadata are empty though the tables can be read; nil where the metadata are there.
    package let flaw: InspectionError?

    /// Reads a store's metadata; changes nothing.
    ///
    /// - Throws: `InspectionError` of code `unreadable`.
    package init(at url: URL) throws { try self.init(at: url, nil) }

    /// Reads the metadata of a store as far as they are there: the tables of one in SQLite are read without them.
    ///
    /// - Throws: `InspectionError` of code `unreadable` for what is not a store.
    package init(ofTablesAt url: URL) throws {
        guard StoreFileKind.type(of: url) == .sqlite else {
            try self.init(at: url, nil)
            return
        }
        do {
            try self.init(ofTablesAt: url, RawStore(at: url))
        } catch {
            throw InspectionError.unreadable(url, error)
        }
    }

    /// Reads the metadata of a store that is open already, as far as they are there; an unfinished copy is refused.
    init(ofTablesAt url: URL, _ store: RawStore) throws {
        do {
            try self.init(at: url, store)
        } catch let error as InspectionError where !store.isUnfinishedCopy {
            self.init(url, .sqlite, metadata: store.identifier.map { [NSStoreUUIDKey: $0] } ?? [:], flaw: error)
        }
    }

    /// Reads the metadata of a store that is open already, if it is.
    package init(at url: URL, _ store: RawStore?) throws {
        let type = store == nil ? StoreFileKind.type(of: url) : .sqlite
        do {
            let metadata =
                try store?.metadata()
                ?? NSPersistentStoreCoordinator.metadataForPersistentStore(type: type, at: url)
            self.init(url, type, metadata: metadata, flaw: nil)
        } catch {
            throw InspectionError.unreadable(url, error)
        }
    }

    private init(
        _ url: URL, _ type: NSPersistentStore.StoreType, metadata: [String: Any], flaw: InspectionError?
    ) {
        self.url = url
        self.type = type
        self.metadata = metadata
        self.flaw = flaw
        size = FileStatus(url.path)?.size ?? 0
        walSize = FileStatus(url.path + "-wal")?.size
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
}

/// Tells the kind of a store from its URL, or the first bytes of its file.
package enum StoreFileKind {
    /// SQLite unless the file says otherwise and the program has that kind of store.
    package static func type(of url: URL) -> NSPersistentStore.StoreType {
        guard url.isFileURL else { return .postgreSQL }
        let start = FileStatus.start(of: url.path, count: 16)
        if start.starts(with: Array("<?xml".utf8)), isKnown(NSXMLStoreType) { return .xml }
        // Those of Apple's framework are archives, and refused by name.
        let isBinary = start.starts(with: BinaryFormat.magic) || start.starts(with: Array("bplist".utf8))
        if isBinary, isKnown(NSBinaryStoreType) { return .binary }
        return .sqlite
    }

    /// Whether the program has a kind of store; looking for one takes longer than looking at a file.
    private static func isKnown(_ type: String) -> Bool {
        NSPersistentStoreCoordinator.registeredStoreTypes[type] != nil
    }
}

/// What the system says of a file; a symbolic link counts as what it points at.
package struct FileStatus {
    package let size: Int
    package let isRegular: Bool

    /// Nil where there is nothing, or nothing that can be looked at.
    package init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        size = Int(status.st_size)
        isRegular = status.st_mode & S_IFMT == S_IFREG
    }

    /// The first bytes of a regular file; none of anything else: a pipe would make the program wait for its other end.
    ///
    /// Not for the file of a store that is open: closing a second descriptor of it would drop the store's locks.
    package static func start(of path: String, count: Int) -> [UInt8] {
        guard FileStatus(path)?.isRegular == true else { return [] }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            length = max(0, read(descriptor, buffer.baseAddress, count))
        }
    }
}

extension InspectionError {
    /// The error for a store that cannot be used; its path stands once in the line.
    package static func unreadable(_ url: URL, _ error: any Error) -> InspectionError {
        if let error = error as? InspectionError { return error }
        let info = (error as NSError).userInfo
        let text = ErrorText.line(for: error).replacing("The store '\(url.place)' ", with: "the store ")
        let reason = info[NSFilePathErrorKey] == nil ? nil : info[NSLocalizedFailureReasonErrorKey] as? String
        let hint = reason == nil ? nil : info[NSLocalizedRecoverySuggestionErrorKey] as? String
        return InspectionError(
            .unreadable, subject: url.place, cause: reason ?? text, hint: hint.map(ErrorText.forCommandLine),
            reference: reason == nil ? nil : ErrorEntry.of(error)?.reference)
    }
}

extension URL {
    /// Where a store is, as people write it: the path of a file, the URL of a server without a password.
    package var place: String {
        isFileURL ? path : withoutPasswords.absoluteString
    }

    /// What a store is called where there is little room: a file's name, or a database and a schema.
    package var storeName: String {
        guard !isFileURL, let parts = URLComponents(url: self, resolvingAgainstBaseURL: false) else {
            return lastPathComponent
        }
        let schema = parts.queryItems?.last { $0.name == "schema" }?.value
        return [lastPathComponent, schema].compactMap { $0 }.filter { !$0.isEmpty && $0 != "/" }.joined(separator: "/")
    }
}
