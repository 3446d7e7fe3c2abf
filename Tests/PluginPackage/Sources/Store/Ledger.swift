import CoreData
import Foundation

/// A class written by hand as for Apple's platforms, whose accessors the build makes.
open nonisolated class Ledger: NSManagedObject {
    /// A raw value as the model stores it.
    public enum Kind: Int16 { case draft, final }

    @NSManaged public var title: String?
    @NSManaged public final var balance: Int64
    @NSManaged public var kind: Kind
    @NSManaged open var written: Date?
    @NSManaged public var lines: Set<Line>?
    @NSManaged private var secret: String?

    /// What a client inlines, with what it cannot see.
    #if canImport(ObjectiveC)
        @objc
    #endif
    @inlinable public var heading: String { "\(title ?? "") \(balance)" }

    /// What is private.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public var hidden: String? {
        get { secret }
        set { secret = newValue }
    }
}

/// A line of a ledger.
public final nonisolated class Line: NSManagedObject {
    @NSManaged public var amount: Double
    @NSManaged public var ledger: Ledger?
}

nonisolated extension Ledger {
    @NSManaged public func addToLines(_ value: Line)
    @NSManaged public final func removeFromLines(_ values: NSSet)
}
