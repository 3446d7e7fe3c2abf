import CoreData

/// An object of ten integers with the accessors that a generated class has: each names its property by number.
final class Item: NSManagedObject {
    static let table = PropertyTable(ItemStore.attributeNames.map { .stored($0) })

    override class var propertyTable: PropertyTable { table }

    var a0: Int64 {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }
    var a1: Int64 {
        get { attribute(1) }
        set { setAttribute(1, newValue) }
    }
    var a2: Int64 {
        get { attribute(2) }
        set { setAttribute(2, newValue) }
    }
    var a3: Int64 {
        get { attribute(3) }
        set { setAttribute(3, newValue) }
    }
    var a4: Int64 {
        get { attribute(4) }
        set { setAttribute(4, newValue) }
    }
    var a5: Int64 {
        get { attribute(5) }
        set { setAttribute(5, newValue) }
    }
    var a6: Int64 {
        get { attribute(6) }
        set { setAttribute(6, newValue) }
    }
    var a7: Int64 {
        get { attribute(7) }
        set { setAttribute(7, newValue) }
    }
    var a8: Int64 {
        get { attribute(8) }
        set { setAttribute(8, newValue) }
    }
    var a9: Int64 {
        get { attribute(9) }
        set { setAttribute(9, newValue) }
    }
}
