import CoreData

/// What a store is opened for.
package enum StoreUse: Sendable {
    /// Its objects are read; no byte is changed and no file is left.
    case reading
    /// Its objects are changed, which its history records if it has one.
    case editing
    /// Its history is read; no byte is changed and no file is left.
    case readingHistory
    /// One transaction of its history is read, with the values before and after where they are kept. No byte of the store is
    /// changed.
    case readingTransaction
    /// Its history is read while others go on writing. No byte of the store is changed.
    case followingHistory
}
