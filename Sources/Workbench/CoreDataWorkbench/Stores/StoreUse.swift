import CoreData

/// The purpose for which a store is opened.
package enum StoreUse: Sendable {
    /// Its objects are read; no byte is changed and no file is left.
    case reading
    /// Its objects are changed, which its history records if it has one.
    case editing
    /// Its objects are read with transformable values as the bytes that are stored; no byte is changed and no file is
    /// left.
    case exporting
    /// Its objects are changed, and new ones are completely validated only when all of them exist.
    case importing
    /// Its history is read; no byte is changed and no file is left.
    case readingHistory
    /// One transaction of its history is read, with the values before and after if they are stored. No byte of the
    /// store is changed.
    case readingTransaction
    /// Its history is read while others continue to write. No byte of the store is changed.
    case followingHistory
    /// Its objects, and its history if it has one, are read while others continue to write. No byte of the store is
    /// changed.
    case browsing
    /// Its objects are read once for a view of the browser, and its history if it has one; no byte is changed and no
    /// file is left.
    case printing

    /// Its objects are kept in step with those of others: they are changed, and its history is recorded from now on.
    case syncing

    /// Whether the store is opened for writing.
    var isEditing: Bool { self == .editing || self == .importing || self == .syncing }

    /// Whether the values of transformable attributes are their stored bytes.
    var keepsStoredForm: Bool { self == .exporting || self == .importing }

    /// Whether the store may be opened without a history although its history is wanted.
    var takesAnyHistory: Bool { self == .browsing || self == .printing }
}
