import CoreData
import Foundation

/// Managed classes inside a type, one of which names the other.
public enum Guild {
    /// A member, whose stored property of an attribute's name is Swift's alone.
    public class Member: NSManagedObject {
        @NSManaged public var rank: Int16
        @NSManaged public var badge: Badge?

        /// No accessor of the attribute `level`: nothing marks it.
        public var level: Int16 = 0
    }

    /// What a member wears.
    public class Badge: NSManagedObject {
        @NSManaged public var owner: Member?
    }
}

/// An object that is not managed, with properties that are found by their names.
open class Visitor: NSObject {
    #if canImport(ObjectiveC)
        @objc
    #endif
    public var name: String

    #if canImport(ObjectiveC)
        @objc
    #endif
    public var visits: Int32 = 0

    #if canImport(ObjectiveC)
        @objc
    #endif
    public var greeting: String { "Hello \(name)" }

    /// Swift's alone.
    public var secret = 7

    /// A visitor of a name.
    public init(name: String) { self.name = name }
}

/// A visitor with one property more.
public final class Guest: Visitor {
    #if canImport(ObjectiveC)
        @objc
    #endif
    public var host: Visitor?
}
