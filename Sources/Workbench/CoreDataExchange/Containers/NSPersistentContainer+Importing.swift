import CoreData

extension NSPersistentContainer {
    /// Imports the records of a document of JSON, XML or CSV by a mapping.
    ///
    ///     let mapping = try ImportMapping(contentsOf: Bundle.module.url(forResource: "Statuses", withExtension: "plist")!)
    ///     let summary = try await container.importObjects(from: url, mapping: mapping)
    ///     print(summary.total.inserted, "new")
    ///
    /// The import runs on a thread and in a context of its own, over the container's coordinator: the store's history records it under
    /// the author of the options, contexts with `automaticallyMergesChangesFromParent` merge what it commits, and
    /// `NSManagedObjectContextDidSaveObjectIDs` is posted for each commit. Objects are found, made and validated as the mapping and the
    /// model say. A URL whose server says that it has not changed since the same import was last made is not read again.
    ///
    /// A cancelled task throws `CancellationError` within a tenth of a second once the import has the store; before, when the saves and
    /// imports that it waits for have ended. What was committed before stays, and the same import made
    /// again finds it.
    ///
    /// May be called from any thread. While it commits, saves of other contexts to the store wait.
    ///
    /// - Parameter url: where the document is: a file, or at `http` or `https`.
    /// - Throws: ``ImportError``; `CancellationError`.
    @discardableResult
    public func importObjects(
        from url: URL, mapping: ImportMapping, options: ImportOptions = ImportOptions()
    ) async throws -> ImportSummary {
        try await ContainerImport(persistentStoreCoordinator, url, .given(mapping), entity: nil, options).run()
    }

    /// Imports the entries of a feed, in RSS 2.0, Atom or JSON Feed, into an entity that has attributes with the usual names.
    ///
    /// All else is as with ``importObjects(from:mapping:options:)``.
    ///
    /// - Throws: ``ImportError``; `CancellationError`.
    @discardableResult
    public func importFeed(
        from url: URL, into entityName: String, options: ImportOptions = ImportOptions()
    ) async throws -> ImportSummary {
        try await ContainerImport(persistentStoreCoordinator, url, .feed, entity: entityName, options).run()
    }

    /// Takes back what an import has saved: its transactions are reverted, the last one first.
    ///
    /// The store must keep former values in its history (`CoreDataHistoryKeepsOldValuesOption`). Where something else has changed an
    /// object that the import has changed, nothing is taken back. What is taken back is saved by transactions of the same author.
    ///
    /// - Parameter identifier: ``ImportSummary/identifier`` of the import.
    /// - Returns: the number of transactions that were reverted.
    /// - Throws: ``ImportError`` with `noHistory` or `changedSince`.
    @discardableResult
    public func revertImport(_ identifier: String) async throws -> Int {
        let context = newBackgroundContext()
        return try await context.perform {
            let reversal = try ImportReversal(of: identifier, in: context)
            try reversal.run()
            return reversal.count
        }
    }
}
