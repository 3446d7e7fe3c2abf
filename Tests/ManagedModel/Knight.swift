import CoreData
import Foundation
import ManagedTypes

private typealias Hidden = Set<Skill>

/// A class whose every property is as a source for Apple's platforms declares it.
public class Knight: Creature {
    // All that a model's attribute can be.
    @NSManaged public var title: String
    @NSManaged public var age: Int16
    @NSManaged public var count: Int32, total: Int64
    @NSManaged public var isActive: Bool
    @NSManaged public var speed: Double
    @NSManaged public var weight: Float
    @NSManaged public var fee: NSDecimalNumber?
    @NSManaged public var score: NSNumber?
    @NSManaged public var picture: Data?
    @NSManaged public var token: UUID?
    @NSManaged public var link: URL?
    @NSManaged public var grade: Grade
    @NSManaged public var shelter: Shelter.Kind?
    @NSManaged public var tags: Tags?
    @NSManaged public var settings: [String: [Int]]?
    @NSManaged var `default`: String?

    // All accesses.
    @NSManaged public internal(set) var readable: String?
    @NSManaged package var shared: String?
    @NSManaged fileprivate var powers: Hidden?
    @NSManaged private var secret: String?

    @NSManaged public var items: NSOrderedSet?
    @NSManaged public var lair: Places.Lair?
    @NSManaged public var fans: [Knight]

    #if DEBUG
        @NSManaged public var note: String?
        #if canImport(ObjectiveC)
            @objc
        #endif
        public var noteKind: String { "debug" }
    #else
        @NSManaged public var note: Data?
        #if canImport(ObjectiveC)
            @objc
        #endif
        public var noteKind: Int { 1 }
    #endif

    #if canImport(ObjectiveC)
        @NSManaged public var selector: Selector?
    #endif

    /// The secret, for those who have no access to it.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public var disclosed: String? {
        get { secret }
        set { secret = newValue }
    }

    /// The powers, of which the file alone knows the type.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public var powerNames: [String] { (powers ?? []).compactMap(\.source).sorted() }

    /// Replaces the powers.
    public func setPowers(_ powers: Set<Skill>) { self.powers = powers }
}
