import CoreDataModeling

/// Reads ranges of stored binary data; implemented by stores that need not read the complete value for it.
package protocol DataRangeReading: AnyObject {
    /// Finds the data of an attribute. Nil if the caller must read the complete value, which then reports the failure:
    /// the value is null, the attribute has another type, or the record does not exist.
    func storedData(of attribute: String, at address: RowAddress) throws -> StoredData?
    /// Reads a range of the data; allocates memory for that range only.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` if the data has changed since `storedData(of:at:)` found it, or if
    ///   the range is not within the data.
    func bytes(_ range: Range<Int>, of data: StoredData) throws -> Data
}

/// A stored value of an attribute, described as `storedData(of:at:)` found it; without its bytes.
package struct StoredData: Sendable {
    package let attribute: String
    package let address: RowAddress
    /// The number of its bytes.
    package let count: Int
    /// The version of the record.
    package let version: Int64

    package init(attribute: String, address: RowAddress, count: Int, version: Int64) {
        self.attribute = attribute
        self.address = address
        self.count = count
        self.version = version
    }
}
