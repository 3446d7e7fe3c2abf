import CoreData
import Foundation

/// What a hero has.
open class Skill: NSManagedObject {
    @NSManaged public var source: String?
    @NSManaged public var hero: Knight
}

/// A subclass with a property of its own behind those of its superclass.
public class Gadget: Skill {
    @NSManaged public var battery: Double
}

/// Something in an order.
public final class Item: NSManagedObject {
    @NSManaged var label: String?
    @NSManaged var hero: Knight?

    /// The label, of whom it is known outside.
    public var text: String? {
        get { label }
        set { label = newValue }
    }
}

/// A subclass of a class that is told of by another module.
public class Villain: Knight {
    @NSManaged public var plan: String?
    @NSManaged public var nemesis: Knight?
}

/// An internal class, with nothing that anybody else can see.
final class Whisper: NSManagedObject {
    @NSManaged var text: String?
    @NSManaged var volume: Int
}
