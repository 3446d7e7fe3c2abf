import CoreData
import StoreContract
import TestBasics
import Testing

/// Elements of composite attributes set by key path: the attribute gets a dictionary with another element.
@Suite struct ElementSettingTests {
    private static func stack(_ kind: StoreKind) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity("Paint", ["name": .stringAttributeType])
        builder.entity("Wall", ["name": .stringAttributeType])
        builder.relationship("Wall.paint", to: "Paint")
        let place = composite("place", [element("x", .doubleAttributeType), element("y", .doubleAttributeType)])
        for (name, isOptional) in [("color", true), ("frame", false)] {
            let red = element("red", .doubleAttributeType)
            red.setValidationPredicates(
                [NSPredicate(format: "SELF >= 0"), NSPredicate(format: "SELF <= 1")],
                withValidationWarnings: ["1620", "1610"])
            let elements = [red, element("grade", .integer16AttributeType), place.copy() as? NSAttributeDescription]
            builder["Paint"].properties.append(composite(name, elements.compactMap(\.self), isOptional: isOptional))
        }
        return try Stack(builder.model, kind: kind)
    }

    private static func element(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let element = NSAttributeDescription()
        (element.name, element.attributeType, element.isOptional) = (name, type, true)
        return element
    }

    private static func composite(
        _ name: String, _ elements: [NSAttributeDescription], isOptional: Bool = true
    ) -> NSCompositeAttributeDescription {
        let composite = NSCompositeAttributeDescription()
        (composite.name, composite.isOptional, composite.elements) = (name, isOptional, elements)
        return composite
    }

    private func paint(_ stack: Stack, _ color: [String: Any]?) throws -> NSManagedObject {
        let paint = stack.context.insert("Paint", ["name": "a", "color": color, "frame": ["grade": 1]])
        try stack.context.save()
        return paint
    }

    @Test("An element is set by key path, the others stay, and the store has it", arguments: StoreKind.all)
    func elementIsSet(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let paint = try paint(stack, ["red": 0.5, "place": ["x": 1.0]])
        paint.setValue(0.75, forKeyPath: "color.red")
        paint.setValue(2, forKeyPath: "color.place.y")
        #expect(paint.changedValues().keys.sorted() == ["color"])
        #expect(paint.value(forKeyPath: "color.red") as? Double == 0.75)
        try stack.context.save()
        let found = try #require(try stack.newContext().all("Paint").first)
        let color = try #require(found.value(forKey: "color") as? [String: Any])
        #expect(color["red"] as? Double == 0.75 && color["grade"] == nil)
        #expect(color["place"] as? [String: Double] == ["x": 1, "y": 2])
        paint.setValue(["x": 5.0], forKeyPath: "color.place")
        #expect(paint.value(forKeyPath: "color.place") as? [String: Double] == ["x": 5])
        #expect(paint.value(forKeyPath: "color.red") as? Double == 0.75)
        paint.setValue(0.75, forKeyPath: "color.red")
        try stack.context.save()
        paint.setValue(0.75, forKeyPath: "color.red")
        #expect(!paint.hasPersistentChangedValues)
    }

    @Test("Nil begins a composite, and one without a value is nil unless it is required", arguments: StoreKind.all)
    func nilBeginsAndEnds(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let paint = try paint(stack, nil)
        let wall = stack.context.insert("Wall", ["name": "w", "paint": paint])
        wall.setValue(1, forKeyPath: "paint.color.place.x")
        #expect(paint.value(forKeyPath: "color.place.x") as? Double == 1)
        paint.setValue(nil, forKeyPath: "color.place.x")
        #expect(paint.value(forKey: "color") == nil)
        paint.setValue(NSNull(), forKeyPath: "frame.grade")
        #expect((paint.value(forKey: "frame") as? [String: Any])?.isEmpty == true)
        try stack.context.save()
        // Where an object on the way is nil, nothing happens.
        wall.setValue(nil, forKey: "paint")
        wall.setValue(3, forKeyPath: "paint.color.red")
        #expect(paint.value(forKey: "color") == nil)
    }

    @Test("A composite within is nil where all its elements are, along relationships too", arguments: StoreKind.all)
    func innerCompositeIsNil(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let colors: [(String, [String: Any]?)] = [
            ("a", ["red": 0.5, "place": ["x": 1.0]]), ("b", ["red": 0.5]), ("c", nil),
            ("d", ["place": [String: Any]()]),
        ]
        for (name, color) in colors {
            let paint = stack.context.insert("Paint", ["name": name, "color": color, "frame": ["grade": 1]])
            stack.context.insert("Wall", ["name": name, "paint": paint])
        }
        stack.context.insert("Wall", ["name": "e"])
        try stack.context.save()
        let context = stack.newContext()
        func names(_ entity: String, _ format: String) throws -> [String] {
            try context.all(entity, NSPredicate(format: format), sortedBy: "name")
                .compactMap { $0.value(forKey: "name") as? String }
        }
        #expect(try names("Paint", "color.place == nil") == ["b", "c", "d"])
        #expect(try names("Paint", "color.place != nil") == ["a"])
        #expect(try names("Paint", "color == nil") == ["c", "d"])
        #expect(try names("Wall", "paint.color == nil") == ["c", "d", "e"])
        #expect(try names("Wall", "paint.color.place != nil") == ["a"])
    }

    @Test("Setting an element is undone and redone as a change of the attribute", arguments: StoreKind.all)
    func elementIsUndone(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let paint = try paint(stack, ["red": 0.5])
        let context = stack.context
        context.undoManager = UndoManager()
        paint.setValue(0.75, forKeyPath: "color.red")
        context.processPendingChanges()
        context.undo()
        #expect(paint.value(forKeyPath: "color.red") as? Double == 0.5 && !context.hasChanges)
        context.redo()
        #expect(paint.value(forKeyPath: "color.red") as? Double == 0.75)
        context.rollback()
        #expect(paint.value(forKeyPath: "color.red") as? Double == 0.5)
    }

    private final class Observer: KeyValueObserver {
        private(set) var seen: [String] = []

        func observeValue(
            forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
            context: UnsafeMutableRawPointer?
        ) {
            let values = [NSKeyValueChangeKey.oldKey, .newKey].map { (change?[$0] as? Double).map { "\($0)" } ?? "nil" }
            seen.append("\(keyPath ?? "") \(values[0]) \(values[1])")
        }
    }

    @Test("Observers of an element see it change with its composite", arguments: StoreKind.all)
    func elementIsObserved(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let paint = try paint(stack, nil)
        let observer = Observer()
        paint.addObserver(observer, forKeyPath: "color.red", options: [.old, .new])
        paint.setValue(0.5, forKeyPath: "color.red")
        paint.setValue(["red": 0.25], forKey: "color")
        paint.setValue(nil, forKeyPath: "color.red")
        #expect(observer.seen == ["color.red nil 0.5", "color.red 0.5 0.25", "color.red 0.25 nil"])
    }

    @Test("Wrong elements and types are refused at once, other values by validation", arguments: StoreKind.all)
    func elementsAreChecked(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let paint = try paint(stack, ["red": 0.5])
        let unknown = #expect(throws: UnknownKeyError.self) { try paint.setCodedValue(1, forKeyPath: "color.rad") }
        #expect(unknown?.suggestion == "red" && unknown?.owner == "'color' of the entity Paint")
        #expect(throws: UnknownKeyError.self) { try paint.setCodedValue(1, forKeyPath: "color.red.x") }
        #expect(throws: UnknownKeyError.self) { try paint.setCodedValue(1, forKeyPath: "color.place.z") }
        let wrong = #expect(throws: ValueRejection.self) { try paint.setCodedValue("much", forKeyPath: "color.red") }
        #expect(wrong?.code == .unacceptableType && wrong?.entity == "Paint" && wrong?.key == "color.red")
        #expect(throws: ValueRejection.self) { try paint.setCodedValue(1, forKeyPath: "color.place") }
        #expect(!paint.hasPersistentChangedValues)
        for (key, value, code) in [("color.red", 2.0, 1610), ("color.red", -1, 1620), ("color.grade", 40_000, 1610)] {
            paint.setValue(value, forKeyPath: key)
            let error = expectError(code) { try stack.context.save() }
            #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == key)
            stack.context.rollback()
        }
    }
}
