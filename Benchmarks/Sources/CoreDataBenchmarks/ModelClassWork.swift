import CoreData
import SwiftData

/// A class with `@Model` of ten integers, with the parent that it belongs to.
@Model
final class ModelItem {
    var a0: Int64
    var a1: Int64
    var a2: Int64
    var a3: Int64
    var a4: Int64
    var a5: Int64
    var a6: Int64
    var a7: Int64
    var a8: Int64
    var a9: Int64
    var parent: ModelParent?

    init(row: Int64) {
        a0 = (row * 31) % 1_000_003
        a1 = (row * 31 + 7) % 1_000_003
        a2 = (row * 31 + 14) % 1_000_003
        a3 = (row * 31 + 21) % 1_000_003
        a4 = (row * 31 + 28) % 1_000_003
        a5 = (row * 31 + 35) % 1_000_003
        a6 = (row * 31 + 42) % 1_000_003
        a7 = (row * 31 + 49) % 1_000_003
        a8 = (row * 31 + 56) % 1_000_003
        a9 = (row * 31 + 63) % 1_000_003
    }
}

/// What items belong to.
@Model
final class ModelParent {
    var number: Int64
    @Relationship(inverse: \ModelItem.parent) var items: [ModelItem]

    init(number: Int64) {
        self.number = number
        items = []
    }
}

/// The same entities as managed objects, with the accessors that generated classes have.
final class RecordItem: NSManagedObject {
    static let table = PropertyTable((0..<10).map { .stored("a\($0)") } + [.stored("parent")])
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
    var parent: RecordParent? {
        get { toOne(10) }
        set { setToOne(10, newValue) }
    }
}

/// What items belong to.
final class RecordParent: NSManagedObject {
    static let table = PropertyTable([.stored("number"), .stored("items")])
    override class var propertyTable: PropertyTable { table }

    var number: Int64 {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }
}
