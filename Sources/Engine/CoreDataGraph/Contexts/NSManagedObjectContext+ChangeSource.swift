import CoreDataStore

extension NSManagedObjectContext {
    /// The information about the saving context in persistent history.
    package var changeSource: ChangeSource { ChangeSource(author: transactionAuthor, contextName: name) }
}
