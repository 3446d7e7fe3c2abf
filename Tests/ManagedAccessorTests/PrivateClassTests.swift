import CoreData
import Foundation
import ManagedModel
import StoreContract
import Testing

/// Classes that only this file can name, in a model made in code, as tests and small programs have them.
private class Ring: NSManagedObject {
    @NSManaged var label: String?
    @NSManaged var size: Int32
    @NSManaged var twin: Ring?
}

private final class Seal: Ring {
    @NSManaged var motto: String?
}

private enum Box {
    final class Coin: NSManagedObject {
        @NSManaged var worth: Double
    }
}

@Suite struct PrivateClassTests {
    private func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Ring", class: NSStringFromClass(Ring.self),
            ["label": .stringAttributeType, "size": .integer32AttributeType])
        builder.entity("Seal", in: "Ring", class: NSStringFromClass(Seal.self), ["motto": .stringAttributeType])
        builder.entity("Coin", class: NSStringFromClass(Box.Coin.self), ["worth": .doubleAttributeType])
        builder.relationship("Ring.twin", to: "Ring")
        return builder.model
    }

    @Test("@NSManaged properties of private and nested classes are read and written (KVC-05)")
    func nsManagedPropertiesOfPrivateAndNestedClassesAreRead() throws {
        let stack = try Stack(model(), kind: .inMemory)
        let ring = Ring(context: stack.context)
        let seal = Seal(context: stack.context)
        let coin = Box.Coin(context: stack.context)
        ring.label = "a label that is longer than a small string"
        ring.size = 7
        ring.twin = seal
        seal.size = 9
        seal.motto = "m"
        coin.worth = 1.5
        #expect(ring.value(forKey: "size") as? Int32 == 7 && ring.label?.hasSuffix("string") == true)
        #expect(ring.twin === seal && (ring.twin as? Seal)?.motto == "m" && seal.size == 9 && coin.worth == 1.5)
        try stack.context.save()
        stack.context.reset()
        let found = try stack.context.fetch(NSFetchRequest<Ring>(entityName: "Ring"))
        #expect(Set(found.map(\.size)) == [7, 9] && found.contains { $0 is Seal })
    }

    @Test("the name of a class says no file and no address, and entities find the class by it (MOD-11)")
    func nameOfClassSaysNoFileAndNoAddress() {
        #expect(NSStringFromClass(Ring.self) == "ManagedAccessorTests.Ring")
        #expect(NSStringFromClass(Box.Coin.self) == "ManagedAccessorTests.Box.Coin")
        #expect(NSStringFromClass(Knight.self) == "ManagedModel.Knight")
        #expect(
            NSStringFromClass(NSString.self) == "NSString" || NSStringFromClass(NSString.self) == "Foundation.NSString")
    }

    @Test("an entity of a model made in code finds a class of a library by its bare name (MOD-11)") func bareNames()
        throws
    {
        let builder = ModelBuilder()
        builder.entity("Hero", class: "Knight", ["title": .stringAttributeType])
        builder.entity("Cave", class: ".Places.Lair", ["depth": .integer32AttributeType])
        let stack = try Stack(builder.model, kind: .inMemory)
        let hero = NSEntityDescription.insertNewObject(forEntityName: "Hero", into: stack.context)
        #expect((hero as? Knight) != nil)
        #expect(NSEntityDescription.insertNewObject(forEntityName: "Cave", into: stack.context) is Places.Lair)
    }
}
