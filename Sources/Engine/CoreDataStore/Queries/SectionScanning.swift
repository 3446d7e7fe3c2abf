import CoreDataModeling

/// Reporting the places of rows and, by the way, where a value changes from one to the next; for stores that can.
package protocol SectionScanning: AnyObject {
    /// The places of the rows that a query selects, in its order, and the runs of equal values at the end of a path.
    func scan(_ query: FetchQuery, by column: SectionColumn) throws -> SectionScan
}

/// The places of rows in an order, and which of those that follow each other have one value.
package struct SectionScan {
    package var addresses = AddressList()
    /// The values and how many rows have each; values that follow each other may be equal all the same.
    package var runs: [(value: Any?, count: Int)] = []

    package init() {}
}

/// A stored attribute of a record, or of one that relationships to one lead to, which is not computed.
package struct SectionColumn {
    package let path: String
    package let attribute: NSAttributeDescription
    package let kind: AttributeKind

    package init(path: String, attribute: NSAttributeDescription) {
        self.path = path
        self.attribute = attribute
        kind = AttributeKind(attribute)
    }
}
