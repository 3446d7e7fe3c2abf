import CoreDataModeling

/// Noticing what others write to a store, soon after they have; for stores whose place reports writes.
package protocol ChangeWatching: AnyObject {
    /// Calls a block whenever another connection may have written to the store, on a thread of its own, until the store is closed
    /// or another block is given. Nil ends it.
    ///
    /// A block may be called though nothing was written, and once for several writes. False where the system does not
    /// report writes: then they are noticed when the store is next read.
    @discardableResult func watchWrites(_ written: (@Sendable () -> Void)?) -> Bool
    /// Whether another connection has committed something since the last call. Called while the store is locked.
    func takeForeignCommit() throws -> Bool
    /// The program's metadata before and after another connection has changed it; nil where they are unchanged since the
    /// last call. Called while the store is locked.
    func takeForeignMetadata() throws -> (former: [String: Any], present: [String: Any])?
}
