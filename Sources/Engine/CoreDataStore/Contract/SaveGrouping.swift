/// Carrying out several plans as one change of the store; for stores that can take back what a plan has written.
///
/// What is read through the same store meanwhile has what was written before it; no other connection sees any of it.
package protocol SaveGrouping: AnyObject {
    /// Runs a block whose saves count together when it returns, and not at all when it throws.
    ///
    /// Called by the holder of the store, and not within itself. Rows that objects and caches have of saves that did not
    /// count are theirs to forget.
    func savingTogether<Result>(_ body: () throws -> Result) throws -> Result
}
