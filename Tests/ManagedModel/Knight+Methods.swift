import CoreData
import Foundation

// MARK: To-many methods, of all forms
extension Knight {
    @NSManaged public func addToPowers(_ value: Skill)
    @NSManaged public func removeFromPowers(_ value: Skill)
    @NSManaged public func addToPowers(_ values: NSSet)
    @NSManaged internal func removeFromPowers(_ values: Set<Skill>)

    @NSManaged public func insertIntoItems(_ value: Item, at idx: Int)
    @NSManaged public func removeFromItems(at idx: Int)
    @NSManaged public func insertIntoItems(_ values: [Item], at indexes: NSIndexSet)
    @NSManaged public func removeFromItems(at indexes: NSIndexSet)
    @NSManaged public func replaceItems(at idx: Int, with value: Item)
    @NSManaged public func replaceItems(at indexes: NSIndexSet, with values: [Item])
    @NSManaged public func addToItems(_ value: Item)
    @NSManaged public func removeFromItems(_ values: NSOrderedSet)
}

// MARK: Properties of an extension in another file
extension Knight {
    @NSManaged public var alias: String?
    @NSManaged private var primitiveAlias: String?

    /// A computed key.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public var display: String { "\(title) \(alias ?? "")" }

    /// An accessor of the class's own for an attribute, over the primitive one.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public var motto: String? {
        get {
            willAccessValue(forKey: "motto")
            defer { didAccessValue(forKey: "motto") }
            return primitiveMotto
        }
        set {
            willChangeValue(forKey: "motto")
            primitiveMotto = newValue?.uppercased()
            didChangeValue(forKey: "motto")
        }
    }
    @NSManaged private var primitiveMotto: String?

    /// An accessor that asks by its own key for what is stored.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public var origin: String? {
        get { value(forKey: "origin") as? String }
        set { setValue(newValue, forKey: "origin") }
    }

    /// The alias without its event.
    public var storedAlias: String? {
        get { primitiveAlias }
        set { primitiveAlias = newValue }
    }

    /// A rule that replaces or refuses.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public func validateAge(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        guard let age = value.pointee as? NSNumber, age.intValue > 900 else { return }
        guard age.intValue < 1000 else { throw CocoaError(.featureUnsupported) }
        value.pointee = NSNumber(value: 900)
    }

    /// What a computed key depends on.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public class func keyPathsForValuesAffectingDisplay() -> Set<String> { ["title", "alias"] }
}
