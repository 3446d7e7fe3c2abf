import Foundation
import CoreData


extension Hero {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Hero> {
        return NSFetchRequest<Hero>(entityName: "Hero")
    }

    @NSManaged public var birthdate: Date?
    @NSManaged public var name: String?
    @NSManaged public var level: Int16
    @NSManaged public var powers: NSSet?

}

// MARK: Generated accessors for powers
extension Hero {

    @objc(addPowersObject:)
    @NSManaged public func addToPowers(_ value: Gadget)

    @objc(removePowersObject:)
    @NSManaged public func removeFromPowers(_ value: Gadget)

    @objc(addPowers:)
    @NSManaged public func addToPowers(_ values: NSSet)

    @objc(removePowers:)
    @NSManaged public func removeFromPowers(_ values: NSSet)

}

extension Hero : Identifiable {

}
