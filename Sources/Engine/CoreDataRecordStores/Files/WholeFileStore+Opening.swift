import CoreDataStore

extension WholeFileStore: StoreBackend {
    package static var storeType: String { Format.storeType }

    package static func capabilities(at url: URL?) -> StoreCapabilities {
        [.durable, .exactDecimals, .exactReals, .derivedAttributes, .uniqueValues]
    }

    package static func open(_ request: OpeningRequest) throws -> OpenedStore<WholeFileStore> {
        try Format.check(request.options, of: request.url)
        guard request.url.isFileURL, MemoryPlace(request.url) == nil else {
            throw unusable(request.url, "its URL is not that of a file", hint: "Give a file URL.")
        }
        return try reporting(request.url) {
            guard let file = try RecordFile.open(request.url, operations(request.options)) else {
                return try create(request)
            }
            guard file.mark.isRegular else {
                throw unusable(request.url, "it is no regular file", hint: "Give the path of a store's file.")
            }
            return try load(file, request)
        }
    }

    private static func create(_ request: OpeningRequest) throws -> OpenedStore<WholeFileStore> {
        guard request.options[NSReadOnlyPersistentStoreOption] as? Bool != true else {
            throw unusable(
                request.url, "there is no such file", hint: "Check the path; a store is not created for reading only.")
        }
        let identifier = request.delegate.identifier ?? UUID().uuidString
        var metadata = RecordMetadata.makeVersioned(
            for: request.layouts.model, configuration: request.configuration)
        let head = RecordFileHead(identifier: identifier, metadata: metadata)
        let store = WholeFileStore(
            request, tables: RecordSetting(request).makeTables(.store), head: head, file: nil, contents: nil)
        try store.create()
        metadata[NSStoreTypeKey] = storeType
        metadata[NSStoreUUIDKey] = identifier
        return OpenedStore(backend: store, metadata: metadata, identifier: identifier)
    }

    private static func load(_ file: RecordFile, _ request: OpeningRequest) throws -> OpenedStore<WholeFileStore> {
        let setting = RecordSetting(request)
        let tables = setting.makeTables(.store)
        let faults = request.options[RecordFaultsOption] as? LoadFaultCollector
        var loading = RecordLoading(tables, faults: faults)
        var found: RecordFileHead?
        let contents = try Format.read(file.reader(), into: &loading, setting) { head in
            try VersionCheck(request).check(head.metadata)
            found = head
        }
        guard var head = found else { throw LoadFailure("it does not say which store it is", at: nil) }
        try loading.finish()
        let identifier = head.identifier ?? request.delegate.identifier ?? UUID().uuidString
        head.identifier = identifier
        let store = WholeFileStore(
            request, tables: tables, head: head, file: file, contents: contents, unwritten: faults?.changed ?? [])
        return OpenedStore(backend: store, metadata: metadata(head), identifier: identifier)
    }

    /// The metadata for the program: with the entries for store type and UUID.
    private static func metadata(_ head: RecordFileHead) -> [String: Any] {
        var metadata = head.metadata
        metadata[NSStoreTypeKey] = storeType
        metadata[NSStoreUUIDKey] = head.identifier
        return metadata
    }

    /// Runs a block that reads a file, and converts its errors to Core Data errors.
    private static func reporting<Result>(_ url: URL, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as LoadFailure {
            throw damaged(url, failure.reason, at: failure.place)
        } catch let error as ModelingError {
            throw damaged(url, error.cause, at: error.line)
        } catch let failure as FileFailure {
            throw failure.cocoaError("be opened", url)
        }
    }

    private static func damaged(_ url: URL, _ cause: String, at place: Int?) -> NSError {
        let reason = place.map { "\(cause) (\(Format.placeName) \($0))" } ?? cause
        return CoreDataError.make(
            NSFileReadCorruptFileError, "The store '\(url.path)' cannot be opened: \(reason).", reason: reason,
            hint: "Restore the file from a backup, or repair it at the place that is named.",
            userInfo: [NSFilePathErrorKey: url.path])
    }

    package static func unusable(_ url: URL, _ reason: String, hint: String) -> NSError {
        CoreDataError.make(
            NSPersistentStoreOpenError, "The store '\(url.path)' cannot be opened: \(reason).", reason: reason,
            hint: hint, userInfo: [NSFilePathErrorKey: url.path])
    }

    // MARK: Stores that are not open

    package static func metadata(at url: URL) throws -> [String: Any] {
        try reporting(url) {
            let file = try present(url, FileOperations())
            return metadata(try Format.readHead(file.reader()))
        }
    }

    package static func setMetadata(_ metadata: [String: Any], at url: URL) throws {
        try reporting(url) {
            let operations = FileOperations()
            let file = try present(url, operations)
            var head = try Format.readHead(file.reader())
            if let given = metadata[NSStoreUUIDKey] {
                guard let text = given as? String, UUID(uuidString: text) != nil else {
                    throw CoreDataError.make(
                        NSPersistentStoreSaveError,
                        "The metadata of the store '\(url.path)' cannot be written: its '\(NSStoreUUIDKey)' is no UUID.",
                        hint: "Leave the key out to keep the store's identity.")
                }
                head.identifier = text
            }
            var values = metadata
            for key in [NSStoreUUIDKey, NSStoreTypeKey] { values[key] = nil }
            try MetadataRules.check(values, of: url.path)
            head.metadata = MetadataRules.merged(values, keeping: head.metadata)
            // Reads the entire file, since `isUnchanged(at:)` needs the checksum of all of it.
            let next = file.reader()
            while try !next().isEmpty {}
            try file.lock(waiting: 5)
            let temporary = try TemporaryFile(beside: file.path, mode: file.mark.mode, operations)
            try Format.write(head, keepingRecordsOf: FormerFile(file: file), to: RecordOutput(file: temporary))
            guard try file.isUnchanged(at: file.path) else {
                throw unusable(url, "somebody else has changed it meanwhile", hint: "Try again.")
            }
            _ = try temporary.publish(as: file.path, replacing: file)
        }
    }

    private static func present(_ url: URL, _ operations: FileOperations) throws -> RecordFile {
        guard url.isFileURL, let file = try RecordFile.open(url, operations) else {
            throw unusable(url, "there is no such file", hint: "Check the path.")
        }
        guard file.mark.isRegular else {
            throw unusable(url, "it is no regular file", hint: "Give the path of a store's file.")
        }
        return file
    }
}
