//
//  Hero+CoreDataClass.swift
//

import Foundation
import CoreData

@objc(Hero)
public class Hero: NSManagedObject {
    @objc dynamic var mood = "calm"
    @objc public dynamic var isLegend: Bool { powers?.count ?? 0 > 9 }

    public override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
    }

    public override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(Date(), forKey: #keyPath(Hero.birthdate))
    }

    @objc public func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        guard let name = value.pointee as? String else { return }
        if name.isEmpty {
            throw NSError(
                domain: NSCocoaErrorDomain, code: NSValidationStringTooShortError,
                userInfo: [NSValidationObjectErrorKey: self, NSValidationKeyErrorKey: #keyPath(Hero.name)])
        }
        value.pointee = name.trimmingCharacters(in: .whitespaces) as NSString
    }

    public override func validateForUpdate() throws {
        try super.validateForUpdate()
        guard mood != "evil" else { throw CocoaError(.managedObjectValidation) }
    }
}

@objc(Sidekick) public final class Sidekick: Hero { @NSManaged @objc public var rank: Int32 }

public class Gadget: NSManagedObject {
    @NSManaged public var label: String
    private var cache: [String: Int] = [:]

    public init(label: String, in context: NSManagedObjectContext) {
        super.init(entity: NSEntityDescription.entity(forEntityName: "Gadget", in: context)!, insertInto: context)
        self.label = label
    }
}
