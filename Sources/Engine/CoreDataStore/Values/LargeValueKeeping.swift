import CoreDataModeling

/// Stores large values outside of the rows; a slot then contains the store's form of the value, such as a reference.
package protocol LargeValueKeeping: AnyObject {
    /// The value that a stored form represents.
    func largeValue(stored: UnsafeRawBufferPointer) throws -> Data
    /// Makes a writer for the large values of one transaction. Called without locking the store.
    func largeValueWriter() -> any LargeValueWriting
}

/// Writes large values to their place in a store, before the rows that refer to them are written.
///
/// Used by one thread at a time, which need not lock the store.
package protocol LargeValueWriting: AnyObject {
    /// Returns the stored form of a value; a value that is too large for the row has been written outside of it.
    func storedForm(of data: Data) throws -> Data
    /// The number of values that have been written outside of the rows.
    var count: Int { get }
    /// Removes all values after the first `count`, whose rows will not be written.
    func discard(after count: Int)
}
