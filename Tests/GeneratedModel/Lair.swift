import CoreData

/// A class written by hand, properties and table and all.
public final class Lair: NSManagedObject {
    private static let table = PropertyTable([.stored("depth", \Lair.depth), .stored("owner", \Lair.owner)])

    override public class var propertyTable: PropertyTable { table }

    public var depth: Int32 {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }

    public var owner: Hero? {
        get { toOne(1) }
        set { setToOne(1, newValue) }
    }
}
