import CoreDataModeling

/// Reading parts of stored data, for stores that need not read the complete value.
package protocol DataRangeReading: AnyObject {
    /// The data of an attribute; nil if only a complete read applies, which reports failures: for null, an attribute of
    /// another type, a record that does not exist.
    func storedData(of attribute: String, at address: RowAddress) throws -> StoredData?
    /// A part of the data, in as much memory as the part takes.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` where the data is not what it was when it was found, and for what is not
    ///   within it.
    func bytes(_ range: Range<Int>, of data: StoredData) throws -> Data
}

/// Data that a store has, as it was when it was found.
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
