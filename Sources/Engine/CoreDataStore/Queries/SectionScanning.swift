import CoreDataModeling

/// Fetches the addresses of rows together with their sections (runs of equal values); implemented by stores that can.
package protocol SectionScanning: AnyObject {
    /// The addresses of the rows that a query selects, in its order, and the runs of equal values of a column in that
    /// order.
    func scan(_ query: FetchQuery, by column: SectionColumn) throws -> SectionScan
}

/// The result of `SectionScanning`: the addresses of rows in order, and the runs of consecutive rows with equal values.
package struct SectionScan {
    package var addresses = AddressList()
    /// The value and number of rows of each run; consecutive runs may have equal values.
    package var runs: [(value: Any?, count: Int)] = []

    package init() {}
}

/// The column that defines sections: a stored attribute, not derived, at the end of a path of to-one relationships.
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
