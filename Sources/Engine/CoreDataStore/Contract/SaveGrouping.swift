/// Executes several plans in one transaction; implemented by stores that can roll back what a plan has written.
///
/// Meanwhile reads through the same store see what the plans wrote; other connections see none of it before the commit.
package protocol SaveGrouping: AnyObject {
    /// Runs a block; commits its saves together when the block returns, and rolls all of them back when it throws.
    ///
    /// Called by the thread that has the store locked; calls must not be nested. After a rollback the caller removes
    /// the rows of these saves from objects and caches.
    func savingTogether<Result>(_ body: () throws -> Result) throws -> Result
}
