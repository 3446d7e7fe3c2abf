import CoreData
import StoreContract
import Testing

@Suite struct ValidationTests {
    private static func stack(_ kind: StoreKind) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity(
            "Item",
            [
                "name": .stringAttributeType, "salary": .doubleAttributeType, "date": .dateAttributeType,
                "address": .stringAttributeType,
            ])
        builder.entity("Part")
        builder.entity("Owner")
        builder.relationships("Item.parts*", "Part.item")
        builder.relationships("Item.owner", "Owner.items*")
        builder.attribute("Item.name").isOptional = false
        builder.attribute("Item.name").setValidationPredicates(
            [NSPredicate(format: "length >= 1"), NSPredicate(format: "length <= 5")],
            withValidationWarnings: ["1670", "1660"])
        builder.attribute("Item.salary").setValidationPredicates(
            [NSPredicate(format: "SELF >= 0"), NSPredicate(format: "SELF <= 100")],
            withValidationWarnings: ["1620", "1610"])
        builder.attribute("Item.address").setValidationPredicates(
            [NSPredicate(format: "SELF MATCHES '[0-9.]+'")], withValidationWarnings: ["1680"])
        builder["Item"].relationshipsByName["owner"]?.isOptional = false
        builder["Item"].relationshipsByName["parts"]?.minCount = 1
        builder["Item"].relationshipsByName["parts"]?.maxCount = 3
        builder["Item"].relationshipsByName["parts"]?.isOptional = false
        return try Stack(builder.model, kind: kind)
    }

    private func item(_ context: NSManagedObjectContext) -> NSManagedObject {
        let item = context.insert("Item", ["name": "x", "owner": context.insert("Owner")])
        context.insert("Part", ["item": item])
        return item
    }

    @Test(
        "each broken rule fails the save by its code, key and object (VAL-03…08)",
        arguments: StoreKind.all,
        [
            ("name", nil, 1570), ("name", "", 1670), ("name", "123456", 1660), ("salary", "-1", 1620),
            ("salary", "101", 1610),
            ("address", "abc", 1680), ("owner", nil, 1570), ("parts", nil, 1580), ("parts", "4", 1590),
        ] as [(String, String?, Int)])
    func brokenRuleFailsSave(kind: StoreKind, rule: (key: String, text: String?, code: Int)) throws {
        let (key, text, expected) = rule
        let stack = try Self.stack(kind)
        let item = item(stack.context)
        var value: Any? = text
        if key == "salary" { value = text.flatMap(Double.init) }
        if key == "parts", text != nil { value = NSSet(array: (0..<4).map { _ in stack.context.insert("Part") }) }
        item.setValue(value, forKey: key)
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == expected)
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == key)
        #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === item)
        #expect(error?.localizedDescription.contains(key) == true)
        #expect(item.isInserted)
        #expect(try stack.newContext().all("Item").isEmpty)
        if text != nil, key != "parts" {
            #expect(error?.userInfo[NSValidationValueErrorKey] != nil)
            #expect(error?.userInfo[NSValidationPredicateErrorKey] is NSPredicate)
        }
    }

    @Test("several broken rules come together in 1560 (VAL-16)", arguments: StoreKind.all)
    func severalErrorsComeTogether(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let item = item(stack.context)
        item.setValue("", forKey: "name")
        item.setValue(-1, forKey: "salary")
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSValidationMultipleErrorsError)
        let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError]
        #expect(Set(details?.map(\.code) ?? []) == [1670, 1620])
    }

    @Test("a rule's own text is what the error says (VAL-18)", arguments: StoreKind.all)
    func ownTextIsSaid(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Item", ["name": .stringAttributeType])
        builder.attribute("Item.name").setValidationPredicates(
            [NSPredicate(format: "SELF BEGINSWITH 'a'")], withValidationWarnings: ["Begin with an a."])
        let stack = try Stack(builder.model, kind: kind)
        stack.context.insert("Item", ["name": "b"])
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSManagedObjectValidationError)
        #expect(error?.localizedDescription == "Begin with an a.")
    }
}
