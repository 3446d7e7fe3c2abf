import CoreDataStore

extension NSPersistentStore {
    /// Takes over metadata that others have written, unless there are changes of it here that are not saved yet. Called while
    /// the store is held.
    final func adoptForeignMetadata() throws {
        guard let (former, present) = try objects?.changeWatching?.takeForeignMetadata() else { return }
        if !MetadataRules.areEqual(Self.withoutReaders(former), Self.withoutReaders(present)) {
            foreignMetadataChanges += 1
        }
        guard !hasUnsavedMetadata else { return }
        metadata = MetadataRules.merged(present, keeping: metadata ?? [:])
        hasUnsavedMetadata = false
    }

    /// What readers of the history note of themselves is nothing that anybody waits for.
    private static func withoutReaders(_ metadata: [String: Any]) -> [String: Any] {
        metadata.filter { !$0.key.hasPrefix(historyReaderPrefix) }
    }

    /// What keys in the metadata begin with that say how far a named reader has read the history.
    static var historyReaderPrefix: String { "CoreDataHistoryReader." }
}
