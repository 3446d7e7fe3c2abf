import CoreDataStore

extension NSManagedObjectContext {
    /// What persistent history says of who saves.
    package var changeSource: ChangeSource { ChangeSource(author: transactionAuthor, contextName: name) }
}
