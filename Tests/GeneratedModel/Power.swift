import CoreData

/// A class written by hand with generated properties, which adds one to their table.
open class Power: NSManagedObject {
    /// The source, for all to hear.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public var shout: String { (source ?? "").uppercased() }

    override open class var propertyTable: PropertyTable {
        PropertyTable(extending: super.propertyTable, [.custom("shout", get: { ($0 as? Power)?.shout })])
    }
}
