import CoreData

/// An object of ten integers with the accessors that a generated class has: each names its property by number.
final class Item: NSManagedObject {
    static let table = PropertyTable(ItemStore.attributeNames.map { .stored($0) })

    override class var propertyTable: PropertyTable { table }

    /// One of the ten attributes, by its number.
    subscript(attribute: Int) -> Int64 {
        get { self.attribute(attribute) }
        set { setAttribute(attribute, newValue) }
    }
}
