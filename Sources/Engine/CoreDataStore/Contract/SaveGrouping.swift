/// Executing several plans as one change of the store; for stores that can roll back what a plan has written.
///
/// Reads through the same store meanwhile see what was written before; other connections do not see any of it.
package protocol SaveGrouping: AnyObject {
    /// Runs a block whose saves count together when it returns, and not at all when it throws.
    ///
    /// Called by the holder of the store, and not within itself. Rows that objects and caches have of saves that did not
    /// count are theirs to forget.
    func savingTogether<Result>(_ body: () throws -> Result) throws -> Result
}
