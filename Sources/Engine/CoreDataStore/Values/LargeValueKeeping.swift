import CoreDataModeling

/// Keeping large values outside the rows; slots hold the store's own form of such a value.
package protocol LargeValueKeeping: AnyObject {
    /// The value that the stored form stands for.
    func largeValue(stored: UnsafeRawBufferPointer) throws -> Data
    /// What puts the large values of one transaction where the store keeps them. Called without holding the store.
    func largeValueWriter() -> any LargeValueWriting
}

/// Puts large values where a store keeps them, before the rows are written that name them.
///
/// Used by one thread at a time, which need not hold the store.
package protocol LargeValueWriting: AnyObject {
    /// The form in which a value is stored; one that is kept outside the rows has been put there.
    func storedForm(of data: Data) throws -> Data
    /// How many values have been put outside the rows.
    var count: Int { get }
    /// Removes the values after the first `count`, whose rows are not written after all.
    func discard(after count: Int)
}
