import CoreData

/// The metadata and the size of a store, which are read without its model.
package struct StoreFacts {
    package let url: URL
    package let type: NSPersistentStore.StoreType
    /// The store's metadata, with the keys of Core Data and of the application.
    package let metadata: [String: Any]
    /// The size in bytes of the file (`size`), and of the `-wal` file beside it (`walSize`), nil without one.
    package let size: Int
    package let walSize: Int?

    /// Why the metadata cannot be read although the tables can; nil if they can be read.
    package let flaw: InspectionError?

    /// Reads a store's metadata; changes nothing.
    ///
    /// - Throws: `InspectionError` of code `unreadable`.
    package init(at url: URL) throws { try self.init(at: url, nil) }

    /// Reads a store's metadata as far as they are readable: a SQLite store may lack them if its tables can be read.
    ///
    /// - Throws: `InspectionError` of code `unreadable` for a file that is not a store.
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

    /// Reads the metadata of an open store as far as they are readable; an unfinished copy of a store is refused.
    init(ofTablesAt url: URL, _ store: RawStore) throws {
        do {
            try self.init(at: url, store)
        } catch let error as InspectionError where !store.isUnfinishedCopy {
            self.init(url, .sqlite, metadata: store.identifier.map { [NSStoreUUIDKey: $0] } ?? [:], flaw: error)
        }
    }

    /// Reads the metadata of a store, by `store` if it is open already.
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

    /// What is known of an open store.
    init(of store: NSPersistentStore) {
        self.init(
            store.url ?? URL(fileURLWithPath: "/dev/null"), NSPersistentStore.StoreType(rawValue: store.type),
            metadata: store.metadata ?? [:], flaw: nil)
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

    /// The version hash of each entity in the store's metadata.
    package var hashes: [String: Data] { metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:] }

    /// The checksum of the model that the store was made with; older stores do not have one.
    package var checksum: String? { metadata[NSPersistentStoreModelVersionChecksumKey] as? String }

    /// The version identifiers of the model that the store was made with.
    package var versionIdentifiers: [String] {
        (metadata[NSStoreModelVersionIdentifiersKey] as? [Any] ?? []).map { "\($0)" }
    }
}

/// Determines the kind of a store from its URL, or the first bytes of its file.
package enum StoreFileKind {
    /// SQLite, unless the file begins as XML or a binary store and the program has that type of store.
    package static func type(of url: URL) -> NSPersistentStore.StoreType {
        guard url.isFileURL else { return .postgreSQL }
        let start = FileStatus.start(of: url.path, count: 16)
        if start.starts(with: Array("<?xml".utf8)), isKnown(NSXMLStoreType) { return .xml }
        // Binary stores of Apple's framework are keyed archives; opening one reports that they are not supported.
        let isBinary = start.starts(with: BinaryFormat.magic) || start.starts(with: Array("bplist".utf8))
        if isBinary, isKnown(NSBinaryStoreType) { return .binary }
        return .sqlite
    }

    /// Whether the program has a type of store. This takes longer than reading the start of a file, so it is called
    /// last.
    private static func isKnown(_ type: String) -> Bool {
        NSPersistentStoreCoordinator.registeredStoreTypes[type] != nil
    }
}

/// The size and the type of a file; a symbolic link is followed.
package struct FileStatus {
    package let size: Int
    package let isRegular: Bool

    /// Nil if the file does not exist, or its folder may not be searched.
    package init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        size = Int(status.st_size)
        isRegular = status.st_mode & S_IFMT == S_IFREG
    }

    /// The first bytes of a regular file; empty for anything else: opening a pipe would block.
    ///
    /// Must not be used for the file of an open store: closing a second descriptor of the file drops the store's locks.
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
    /// The error for a store that cannot be used; its line contains the path only once.
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
    /// The place of a store for messages: the path of a file, or the URL of a server without passwords.
    package var place: String {
        isFileURL ? path : withoutPasswords.absoluteString
    }

    /// A short name of a store: a file's name, or a database and a schema.
    package var storeName: String {
        guard !isFileURL, let parts = URLComponents(url: self, resolvingAgainstBaseURL: false) else {
            return lastPathComponent
        }
        let schema = parts.queryItems?.last { $0.name == "schema" }?.value
        return [lastPathComponent, schema].compactMap { $0 }.filter { !$0.isEmpty && $0 != "/" }.joined(separator: "/")
    }
}
