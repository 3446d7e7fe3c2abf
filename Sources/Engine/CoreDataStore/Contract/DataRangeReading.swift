import CoreDataModeling

/// Reading parts of stored data, for stores that need not read a value whole.
package protocol DataRangeReading: AnyObject {
    /// The data of an attribute; nil for what is only read whole, which tells why where it cannot be: null, an attribute of
    /// another type, a record that is not there.
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
