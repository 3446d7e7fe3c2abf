import CoreData
import ManagedModel
import Testing

/// Objects that are not managed, of which the plugin writes access by key, and such of which it does not.
@Suite struct PlainObjectTests {
    private final class Stranger: NSObject {
        var name = "Eve"
    }

    @Test("marked properties of objects that are not managed serve predicates, expressions and order (KVC-05)")
    func markedPropertiesOfObjectsThatAreNotManagedServePredicates() throws {
        let visitors = ["Ann", "Bob", "Cid"].map(Visitor.init)
        visitors[1].visits = 3
        let found = visitors.filtered(using: NSPredicate(format: "visits > 2 AND greeting == 'Hello Bob'"))
        #expect(found.map(\.name) == ["Bob"])
        let expression = NSExpression(forKeyPath: "greeting")
        #expect(expression.expressionValue(with: visitors[0], context: nil) as? String == "Hello Ann")
        let order = [NSSortDescriptor(key: "name", ascending: false)]
        let sorted = (visitors as NSArray).sortedArray(using: order).compactMap { ($0 as? Visitor)?.name }
        #expect(sorted == ["Cid", "Bob", "Ann"])
        #expect((visitors as NSArray).value(forKeyPath: "@sum.visits") as? Int == 3)
    }

    @Test("a subclass answers for its own keys and those above, and is written by key (KVC-05)")
    func subclassAnswersForItsOwnKeysAndThoseAbove() throws {
        let guest = Guest(name: "Dot")
        guest.setValue(Visitor(name: "Ann"), forKey: "host")
        guest.setValue(NSNumber(value: 4), forKey: "visits")
        guest.setValue("Dora", forKey: "name")
        #expect(guest.visits == 4 && guest.value(forKeyPath: "host.name") as? String == "Ann")
        #expect(guest.value(forKey: "greeting") as? String == "Hello Dora")
        guest.setValue(nil, forKey: "host")
        #expect(guest.host == nil)
        #expect(Set(guest.codedKeys) == ["host", "name", "visits", "greeting"])
    }

    @Test("an unmarked property, a read-only one and a value of another type are refused by name (KVC-05)")
    func unmarkedPropertyReadOnlyOneAndValueOfAnotherTypeAreRefused() {
        let visitor = Visitor(name: "Ann")
        #expect(throws: UnknownKeyError.self) { try visitor.codedValue(forKey: "secret") }
        #expect(throws: UnknownKeyError.self) { try visitor.setCodedValue("x", forKey: "greeting") }
        let error = #expect(throws: ExpressionError.self) { try visitor.setCodedValue("x", forKey: "visits") }
        #expect(error?.description.contains("\"visits\" of Visitor") == true)
    }

    @Test("an object of which nothing was written is refused by an error that names its class and the cure (KVC-05)")
    func objectOfWhichNothingWasWrittenIsRefusedByErrorThatNames() {
        let predicate = NSPredicate(format: "name == 'Eve'")
        let error = #expect(throws: UnknownKeyError.self) { try predicate.evaluation(with: Stranger()) }
        let text = error?.description ?? ""
        #expect(text.contains("Stranger") && text.contains("@objc") && text.contains("CoreDataModelPlugin"), "\(text)")
    }

    @Test("a stored property that nothing marks leaves the attribute of its name to access by key (KVC-05)")
    func storedProperty() throws {
        let level = NSAttributeDescription()
        (level.name, level.attributeType, level.defaultValue) = ("level", .integer16AttributeType, 7)
        let rank = NSAttributeDescription()
        (rank.name, rank.attributeType, rank.defaultValue) = ("rank", .integer16AttributeType, 1)
        let member = NSEntityDescription()
        (member.name, member.managedObjectClassName) = ("Member", NSStringFromClass(Guild.Member.self))
        member.properties = [level, rank]
        let model = NSManagedObjectModel()
        model.entities = [member]
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try context.performAndWait {
            let object = try #require(
                NSEntityDescription.insertNewObject(forEntityName: "Member", into: context) as? Guild.Member)
            object.level = 5
            object.rank = 2
            #expect(object.value(forKey: "level") as? Int == 7 && object.value(forKey: "rank") as? Int == 2)
        }
    }
}
