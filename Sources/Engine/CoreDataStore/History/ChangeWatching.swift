import CoreDataModeling

/// Detects writes to a store by other connections soon after they occur; implemented by stores whose system reports
/// writes.
package protocol ChangeWatching: AnyObject {
    /// Calls a block, on a separate thread, whenever another connection may have written to the store, until the store
    /// is closed or the method is called with another block. Nil ends the watching.
    ///
    /// The block may be called though nothing was written, and once for several writes. Returns false if the system
    /// does not report writes: the store then detects them when it is next read.
    @discardableResult func watchWrites(_ written: (@Sendable () -> Void)?) -> Bool
    /// Whether another connection has committed something since the last call. Called while the store is locked.
    func takeForeignCommit() throws -> Bool
    /// The program's entries of the metadata before and after other connections changed them; nil if they are unchanged
    /// since the last call. Called while the store is locked.
    func takeForeignMetadata() throws -> (former: [String: Any], present: [String: Any])?
}
