import CoreData
import StoreContract
import TestBasics
import Testing

/// Elements of composite attributes whose values must be unique, in every kind of store.
@Suite struct UniqueElementTests {
    static func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Paint", ["name": .stringAttributeType])
        builder.entity("Gloss", in: "Paint", ["shine": .doubleAttributeType])
        let elements = [("code", NSAttributeType.stringAttributeType), ("red", .doubleAttributeType)].map {
            name, type in
            let element = NSAttributeDescription()
            (element.name, element.attributeType, element.isOptional) = (name, type, true)
            return element
        }
        let color = NSCompositeAttributeDescription()
        (color.name, color.isOptional, color.elements) = ("color", true, elements)
        builder["Paint"].properties.append(color)
        builder["Paint"].uniquenessConstraints = [["color.code"]]
        return builder.model
    }

    private func paint(_ context: NSManagedObjectContext, _ name: String, _ color: [String: Any]?) -> NSManagedObject {
        context.insert(name.hasPrefix("g") ? "Gloss" : "Paint", ["name": name, "color": color])
    }

    private func names(_ stack: Stack) throws -> [String] {
        try stack.newContext().all("Paint", sortedBy: "name").map {
            let red = ($0.value(forKeyPath: "color.red") as? Double).map { "\($0)" } ?? "nil"
            return "\($0.value(forKey: "name") ?? "") \($0.value(forKeyPath: "color.code") ?? "nil") \(red)"
        }
    }

    @Test(
        "a value that another object's element has is refused, nil may repeat (CTX-21)", arguments: StoreKind.all)
    func valueThatAnotherObjectsElementHasIsRefused(kind: StoreKind) throws {
        let stack = try Stack(Self.model(), kind: kind)
        let first = paint(stack.context, "a", ["code": "x", "red": 0.5])
        for (name, color) in [("b", ["red": 0.5]), ("c", nil), ("g", ["code": "y"])] as [(String, [String: Any]?)] {
            _ = paint(stack.context, name, color)
        }
        try stack.context.save()
        let second = paint(stack.context, "g2", ["code": "x", "red": 0.75])
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSManagedObjectConstraintMergeError)
        let conflict = try #require((error?.userInfo["conflictList"] as? [NSConstraintConflict])?.first)
        #expect(conflict.constraint == ["color.code"])
        #expect(conflict.constraintValues["color.code"] as? String == "x")
        #expect(conflict.databaseObject === first && conflict.conflictingObjects == [second])
        second.setValue("z", forKeyPath: "color.code")
        try stack.context.save()
        // And within one save.
        for name in ["d", "e"] { _ = paint(stack.context, name, ["code": "same"]) }
        #expect(failureCode { try stack.context.save() } == NSManagedObjectConstraintMergeError)
    }

    @Test("values change hands in one save, and a deleted object's is free (CTX-21)", arguments: StoreKind.all)
    func valuesChangeHandsInOneSave(kind: StoreKind) throws {
        let stack = try Stack(Self.model(), kind: kind)
        let paints = ["a", "b", "c"].map { paint(stack.context, $0, ["code": $0, "red": 1]) }
        try stack.context.save()
        paints[0].setValue("b", forKeyPath: "color.code")
        paints[1].setValue("a", forKeyPath: "color.code")
        stack.context.delete(paints[2])
        _ = paint(stack.context, "d", ["code": "c"])
        try stack.context.save()
        #expect(try names(stack) == ["a b 1.0", "b a 1.0", "d c nil"])
        #expect(try names(stack.reopened()) == ["a b 1.0", "b a 1.0", "d c nil"])
    }

    @Test(
        "by the store's policy the element gets its value back, and others keep theirs (CTX-22)",
        arguments: StoreKind.all)
    func givingBack(kind: StoreKind) throws {
        let stack = try Stack(Self.model(), kind: kind)
        let paints = ["a", "b"].map { paint(stack.context, $0, ["code": $0, "red": 1]) }
        try stack.context.save()
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        paints[1].setValue(["code": "a", "red": 0.25], forKey: "color")
        paints[1].setValue("new", forKey: "name")
        try stack.context.save()
        #expect(try names(stack) == ["a a 1.0", "new b 0.25"])
    }

    @Test("by the objects' policy a new object goes into the one with its value (CTX-22)", arguments: StoreKind.all)
    func byObjectsPolicyNewObjectGoesIntoOneWithItsValue(kind: StoreKind) throws {
        let stack = try Stack(Self.model(), kind: kind)
        _ = paint(stack.context, "a", ["code": "x", "red": 1])
        try stack.context.save()
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        _ = paint(stack.context, "b", ["code": "x", "red": 0.5])
        try stack.context.save()
        #expect(try names(stack) == ["b x 0.5"])
    }
}
