import CoreDataStore

/// A store with all records in memory: it reads them from one file when it is opened, and each save rewrites the file
/// completely.
///
/// Invariants:
/// 1. Unless writing is deferred, the file contains the tables and the metadata.
/// 2. The file is only ever replaced by a complete one, and only if it is unchanged since this store read or wrote it.
package final class WholeFileStore<Format: RecordFileFormat>: RecordAnswering {
    package let questions: RecordQuestions
    package let sharedReaders: RecordReaders
    package let isReadOnly: Bool
    /// How many times the file was written; for tests.
    package private(set) var writeCount = 0

    private var url: URL
    private let operations: FileOperations
    private let patience: Double
    /// The history numbers of properties, with which the tables report changed records; the store itself has no
    /// history.
    private let properties: [HistoryProperties]
    private var file: RecordFile?
    private var contents: Format.Contents?
    /// Whether a file is expected at the store's path; false after the store was moved to a path where no file exists.
    private var isInPlace = true
    private var head: RecordFileHead
    private var unwritten: Set<Int64> = []
    private var defersWriting = false
    /// Whether the metadata was changed since the file was last written.
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
        // Readers wait during the save, so that they never see a state that could not be written and is rolled back.
        return try sharedReaders.changing { try save(plan, wanted) }
    }

    private func save(_ plan: SavePlan, _ wanted: RecordFileHead) throws -> SaveOutcome {
        let before = defersWriting ? nil : tables.checkpoint()
        let formerlyUnwritten = unwritten
        let outcome = tables.save(plan, recording: properties) { record in
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

    /// Writes the file of a new store.
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

    /// Continues at another URL: with the file there if it is the moved file, otherwise the next save writes a file
    /// there.
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
