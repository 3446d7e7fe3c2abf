import CoreDataStore

/// A store whose records are in memory, read from one file when it is opened, and rewritten completely by each save.
///
/// Invariants:
/// 1. Unless writing is deferred, the tables and the metadata match the file.
/// 2. The file is only replaced by a complete one, and only if its state is the one that this store read or wrote last.
package final class WholeFileStore<Format: RecordFileFormat>: RecordAnswering {
    package let questions: RecordQuestions
    package let sharedReaders: RecordReaders
    package let isReadOnly: Bool
    /// How often the file was written, for tests.
    package private(set) var writeCount = 0

    private var url: URL
    private let operations: FileOperations
    private let patience: Double
    /// How history numbers properties; what reports changed records asks for it.
    private let properties: [HistoryProperties]
    private var file: RecordFile?
    private var contents: Format.Contents?
    /// Whether the file is to be at the store's place; false once the place was changed to one where nothing is.
    private var isInPlace = true
    private var head: RecordFileHead
    private var unwritten: Set<Int64> = []
    private var defersWriting = false
    /// Whether metadata was changed since the file was written.
    private var hasUnwrittenHead = false

    init(
        _ request: OpeningRequest, tables: RecordTables, head: RecordFileHead, file: RecordFile?,
        contents: Format.Contents?, unwritten: Set<Int64> = []
    ) {
        self.unwritten = unwritten
        questions = RecordQuestions(RecordSetting(request), of: tables)
        sharedReaders = RecordReaders(questions)
        self.head = head
        self.file = file
        self.contents = contents
        url = request.url
        isReadOnly = request.options[NSReadOnlyPersistentStoreOption] as? Bool ?? false
        operations = Self.operations(request.options)
        reasonForNoHistory =
            request.options[NSPersistentHistoryTrackingKey] as? Bool == true
            ? "Stores of the kind '\(Format.storeType)' keep none." : nil
        patience = (request.options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 5
        properties = HistoryProperties.all(of: request.layouts)
    }

    static func operations(_ options: [AnyHashable: Any]) -> FileOperations {
        options[RecordFileOperationsOption] as? FileOperations ?? FileOperations()
    }

    package let reasonForNoHistory: String?

    package var deferredWriting: (any DeferredWriting)? { self }

    // MARK: Saving

    package func save(_ plan: SavePlan) throws -> SaveOutcome {
        guard !plan.isEmpty || setting.delegate.hasUnsavedMetadata else { return .saved(SaveReceipt()) }
        let wanted = try wantedHead()
        // A state that could not be written is not visible.
        return try sharedReaders.changing { try save(plan, wanted) }
    }

    private func save(_ plan: SavePlan, _ wanted: RecordFileHead) throws -> SaveOutcome {
        let before = defersWriting ? nil : tables.checkpoint()
        let formerlyUnwritten = unwritten
        let outcome = tables.save(plan, telling: properties) { record in
            for change in record.changes { unwritten.insert(change.address.key) }
            return nil
        }
        guard case .saved = outcome else { return outcome }
        do {
            if !defersWriting { try write(wanted) }
        } catch {
            if let before { tables.restore(before) }
            unwritten = formerlyUnwritten
            throw error
        }
        publishMadeSlabs()
        if defersWriting, setting.delegate.hasUnsavedMetadata { hasUnwrittenHead = true }
        setting.delegate.hasUnsavedMetadata = false
        return outcome
    }

    /// Makes the file of a new store.
    func create() throws { try write(head, isNew: true) }

    private func wantedHead() throws -> RecordFileHead {
        var metadata = setting.delegate.metadata ?? [:]
        metadata[NSStoreUUIDKey] = nil
        metadata[NSStoreTypeKey] = nil
        if setting.delegate.hasUnsavedMetadata { try MetadataRules.check(metadata, of: url.path) }
        return RecordFileHead(identifier: setting.delegate.identifier, metadata: metadata)
    }

    private func write(_ head: RecordFileHead, isNew: Bool = false) throws {
        do {
            let place = isInPlace ? file?.path ?? url.path : url.path
            let former = isInPlace ? file : nil
            try former?.lock(waiting: patience)
            defer { former?.unlock() }
            if let former, try !former.isUnchanged(at: place) { throw changedMeanwhile() }
            let temporary = try TemporaryFile(beside: place, mode: file?.mark.mode, operations)
            let written = try Format.write(
                RecordImage(
                    tables: tables, setting: setting, head: head,
                    isHeadChanged: isNew || hasUnwrittenHead || setting.delegate.hasUnsavedMetadata, changed: unwritten,
                    former: file.flatMap { file in contents.map { (FormerFile(file: file), $0) } }),
                to: RecordOutput(file: temporary))
            file = try temporary.publish(as: place, replacing: former)
            contents = written
        } catch let failure as FileFailure {
            throw failure.code == EEXIST && failure.step == .publish
                ? Self.unusable(url, "something has taken its place meanwhile", hint: "Try again.")
                : failure.step == .lock && failure.code == EWOULDBLOCK
                    ? heldByOthers() : failure.cocoaError("be saved", url)
        } catch let error as ModelingError {
            throw CoreDataError.make(
                NSPersistentStoreSaveError, "The store '\(url.path)' cannot be saved: \(error.cause).",
                hint: "Change what cannot be kept, then save again.", userInfo: [NSFilePathErrorKey: url.path])
        }
        isInPlace = true
        self.head = head
        unwritten = []
        hasUnwrittenHead = false
        writeCount += 1
    }

    private func changedMeanwhile() -> NSError {
        CoreDataError.make(
            NSPersistentStoreSaveConflictsError,
            "The store '\(url.path)' cannot be saved: its file was changed, replaced or removed by somebody else since it was "
                + "read. It is as they left it.", reason: "the file was changed by somebody else",
            hint: "Add the store again and save the changes there, or keep them in a store at another place.",
            userInfo: [NSFilePathErrorKey: url.path])
    }

    private func heldByOthers() -> NSError {
        CoreDataError.make(
            NSPersistentStoreTimeoutError, "The store '\(url.path)' cannot be saved: another program is saving it.",
            hint: "Try again, or raise NSPersistentStoreTimeoutOption.", userInfo: [NSFilePathErrorKey: url.path])
    }

    // MARK: Place

    /// Goes on at another place: with the same file, if it was moved there, or with one that the next save makes.
    package func relocate(to url: URL) throws -> Bool {
        do {
            let isThere = try FileMark.of(path: url.path, operations) != nil
            guard isThere else {
                isInPlace = false
                self.url = url
                return true
            }
            guard let moved = try RecordFile.open(url, operations) else { return false }
            let next = moved.reader()
            while try !next().isEmpty {}
            guard let file, moved.checksum == file.checksum, moved.mark.size == file.mark.size else {
                throw Self.unusable(url, "it is another store", hint: "Remove the old store and add this one.")
            }
            self.file = moved
            self.url = url
            isInPlace = true
            return true
        } catch let failure as FileFailure {
            throw failure.cocoaError("be used", url)
        }
    }

    package var problems: [String] { [] }

    package func close() { file = nil }
}

extension WholeFileStore: DeferredWriting {
    package func beginDeferredWriting() { defersWriting = true }

    package func finishDeferredWriting() throws {
        guard defersWriting else { return }
        try write(try wantedHead())
        defersWriting = false
        setting.delegate.hasUnsavedMetadata = false
    }
}
