import CoreData

/// An object of the usual attribute types with the accessors that a generated class has.
final class Person: NSManagedObject {
    static let table = PropertyTable([.stored("age"), .stored("height"), .stored("name"), .stored("rank")])

    override class var propertyTable: PropertyTable { table }

    var age: Int32 {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }

    var height: Double {
        get { attribute(1) }
        set { setAttribute(1, newValue) }
    }

    var name: String? {
        get { attribute(2) }
        set { setAttribute(2, newValue) }
    }

    var rank: Int64 {
        get { attribute(3) }
        set { setAttribute(3, newValue) }
    }

    /// Gives the object values that follow from its number alone.
    func fill(_ number: Int) {
        age = Int32(truncatingIfNeeded: number % 90)
        height = 1 + Double(number % 1000) / 1000
        name = Self.names[number % Self.names.count] + " \(number)"
        rank = Int64(number * 31 % 1009)
    }

    private static let names = ["Anna Archer", "Bela", "Ada", "Carol Chandler-Cooper", "Dora", "Alma", "Emil", "Ben"]
}
