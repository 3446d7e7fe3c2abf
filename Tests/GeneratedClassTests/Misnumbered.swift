import CoreData

/// A class whose own table does not begin with that of its generated accessors.
public final class Misnumbered: NSManagedObject {
    override public class var propertyTable: PropertyTable { PropertyTable([.custom("other", get: { _ in nil })]) }
}
