import CoreData
import StoreContract
import TestBasics
import Testing

/// Composite attributes in every kind of store: asked by key path, sorted by, and validated element by element.
@Suite struct CompositeValueTests {
    private static func stack(_ kind: StoreKind) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity("Paint", ["name": .stringAttributeType])
        for (name, isOptional) in [("back", true), ("color", true), ("frame", false)] {
            builder["Paint"].properties.append(color(name, isOptional: isOptional))
        }
        return try Stack(builder.model, kind: kind)
    }

    private static func color(_ name: String, isOptional: Bool) -> NSCompositeAttributeDescription {
        func element(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let element = NSAttributeDescription()
            (element.name, element.attributeType) = (name, type)
            return element
        }
        let color = NSCompositeAttributeDescription()
        (color.name, color.isOptional) = (name, isOptional)
        color.elements = [
            element("red", .doubleAttributeType), element("name", .stringAttributeType),
            element("grade", .integer16AttributeType),
        ]
        color.elements[0].setValidationPredicates(
            [NSPredicate(format: "SELF >= 0"), NSPredicate(format: "SELF <= 1")],
            withValidationWarnings: ["1620", "1610"])
        color.elements[0].isOptional = name != "color"
        return color
    }

    private func paint(_ context: NSManagedObjectContext, _ name: String, _ color: [String: Any]?) -> NSManagedObject {
        context.insert("Paint", ["name": name, "color": color, "frame": ["grade": 1]])
    }

    @Test(
        "Key paths into composites filter and sort alike in memory and in the store", arguments: StoreKind.all)
    func keyPathsFilterAndSort(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let context = stack.context
        let colors: [(String, [String: Any]?)] = [
            ("a", ["red": 0.5, "name": "Ruby"]), ("b", ["red": 0.25, "name": "rose", "grade": 3]), ("c", nil),
            ("d", ["red": 0.75]), ("e", ["name": NSNull()]),
        ]
        for (name, color) in colors { _ = paint(context, name, color) }
        func names(_ context: NSManagedObjectContext, _ format: String, sort: [String] = ["name"]) throws -> [String] {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Paint")
            request.predicate = NSPredicate(format: format)
            request.sortDescriptors = sort.map {
                NSSortDescriptor(key: $0.trimmingCharacters(in: ["-"]), ascending: !$0.hasPrefix("-"))
            }
            return try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
        }
        let expected: [(String, [String])] = [
            ("color.red > 0.3", ["a", "d"]), ("color.name ==[c] 'RUBY'", ["a"]),
            ("color.name == nil", ["c", "d", "e"]),
            ("color.grade IN {3, 4}", ["b"]), ("color.red == nil", ["c", "e"]), ("color.red != nil", ["a", "b", "d"]),
            ("color == nil", ["c", "e"]), ("color != nil", ["a", "b", "d"]), ("NOT (nil == color)", ["a", "b", "d"]),
            ("color IN {nil}", ["c", "e"]), ("back == nil AND color != nil AND name != 'a'", ["b", "d"]),
            ("self.color == nil OR color.red > 0.7", ["c", "d", "e"]), ("frame == nil", []),
            ("color.red > back.red", []), ("frame.grade == 1 AND color.red < 0.6", ["a", "b"]),
        ]
        func check(_ context: NSManagedObjectContext) throws {
            for (format, found) in expected { #expect(try names(context, format) == found, "\(format)") }
            #expect(try names(context, "TRUEPREDICATE", sort: ["-color.red", "name"]) == ["d", "a", "b", "c", "e"])
            #expect(try names(context, "color.red != nil", sort: ["color.red"]) == ["b", "a", "d"])
            expectError(134_060) { try names(context, "TRUEPREDICATE", sort: ["color"]) }
        }
        try check(context)
        try context.save()
        try check(context)
        try check(stack.newContext())
    }

    @Test(
        "A whole composite is compared with nil alone; every store refuses the rest in the same words (STO-19)",
        arguments: StoreKind.all)
    func wholeCompositesAreRefusedAlike(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let context = stack.context
        let ruby: [String: Any] = ["red": 0.5, "name": "Ruby"]
        _ = paint(context, "a", ruby)
        try context.save()
        let reason =
            "Paint.color: a composite attribute can only be compared with nil; "
            + "compare its elements, such as \"color.red\""
        let predicates = [
            NSPredicate(format: "color == %@", ruby as NSDictionary),
            NSPredicate(format: "%@ != color", ruby as NSDictionary),
            NSPredicate(format: "color IN %@", [ruby, NSNull()] as [Any]), NSPredicate(format: "color == back"),
            NSPredicate(format: "NOT (color == 'Ruby')"), NSPredicate(format: "color < 3"),
            NSPredicate(format: "color CONTAINS 'Ruby'"), NSPredicate(format: "color == name"),
            NSPredicate(format: "color BETWEEN {0, 1}"), NSPredicate(format: "color BEGINSWITH 'R'"),
        ]
        for predicate in predicates {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Paint")
            request.predicate = predicate
            let error = #expect(throws: NSError.self, "\(predicate)") { try stack.context.fetch(request) }
            #expect(error?.code == 134_060)
            let text = error.map { "\($0.localizedDescription) \($0.localizedFailureReason ?? "")" } ?? ""
            #expect(text.contains(reason), "\(predicate): \(text)")
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Paint")
        for (format, count) in [("color IN {nil}", 0), ("color == nil", 0), ("color != nil", 1)] {
            request.predicate = NSPredicate(format: format)
            #expect(try stack.context.count(for: request) == count, "\(format)")
        }
    }

    @Test("The elements of a composite are validated by their types and rules", arguments: StoreKind.all)
    func elementsAreValidated(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let object = paint(stack.context, "a", ["red": 0.5])
        try stack.context.save()
        func failure(_ value: [String: Any]?, forKey key: String = "color") -> (code: Int, key: String?)? {
            object.setValue(value, forKey: key)
            defer { stack.context.rollback() }
            do {
                try stack.context.save()
                return nil
            } catch let error as NSError {
                return (error.code, error.userInfo[NSValidationKeyErrorKey] as? String)
            }
        }
        let cases: [([String: Any], Int, String)] = [
            (["red": 2], 1610, "color.red"), (["red": -1], 1620, "color.red"), (["name": "x"], 1570, "color.red"),
            (["red": 0.5, "grade": 40_000], 1610, "color.grade"), (["red": 0.5, "name": 7], 1550, "color.name"),
            (["red": 0.5, "blue": 1], 1550, "color.blue"), (["red": "much"], 1550, "color.red"),
        ]
        for (value, code, key) in cases {
            let found = failure(value)
            #expect(found?.code == code && found?.key == key, "\(value): \(String(describing: found))")
        }
        #expect(failure(["red": 1, "grade": 7]) == nil)
        #expect(failure(nil) == nil)
        let missing = failure(nil, forKey: "frame")
        #expect(missing?.code == 1570 && missing?.key == "frame")
        #expect(throws: NSError.self) {
            var value: Any? = ["red": 3]
            try object.validateValue(&value, forKey: "color")
        }
    }

    @Test(
        "The required elements of an optional composite within are asked for where it has a value",
        arguments: StoreKind.all)
    func innerCompositeMayBeNil(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Book", ["name": .stringAttributeType])
        let author = NSCompositeAttributeDescription()
        author.name = "author"
        let number = NSAttributeDescription()
        (number.name, number.attributeType) = ("number", .integer64AttributeType)
        let tint = Self.color("color", isOptional: true)
        tint.name = "tint"
        author.elements = [number, tint]
        builder["Book"].properties.append(author)
        let stack = try Stack(builder.model, kind: kind)
        for tint in [nil, [:], ["red": NSNull()]] as [[String: Any]?] {
            stack.context.insert("Book", ["author": tint.map { ["number": 1, "tint": $0] } ?? ["number": 1]])
        }
        try stack.context.save()
        let books = try stack.newContext().all("Book", NSPredicate(format: "author.number == 1"))
        #expect(books.count == 3)
        let book = stack.context.insert("Book", ["author": ["number": 1, "tint": ["name": "Ruby"]]])
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSValidationMissingMandatoryPropertyError)
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "author.tint.red")
        book.setValue(["number": 1, "tint": ["red": 0.5]], forKey: "author")
        try stack.context.save()
    }

    @Test("A required composite that the store has without an element does not keep its object from changing")
    func emptyCompositeOfTheStoreIsAValue() throws {
        let stack = try Self.stack(.sqlite)
        let object = stack.context.insert("Paint", ["name": "a", "frame": [String: Any]()])
        try stack.context.save()
        let again = stack.newContext()
        let found = try #require(try again.all("Paint").first)
        found.setValue("b", forKey: "name")
        try again.save()
        #expect(object.entity.name == "Paint")
        let unset = stack.context.insert("Paint", ["name": "c"])
        expectError(1570) { try stack.context.save() }
        stack.context.delete(unset)
    }
}
