import CoreData
import CoreDataPostgres
import StoreContract
import TestBasics
import TestServers
import Testing

/// Single elements of composite attributes on a server: batch updates, indexes and uniqueness constraints.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"))
struct BatchElementTests {
    private static func model() throws -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Paint", ["name": .stringAttributeType])
        builder.entity("Gloss", in: "Paint", ["shine": .doubleAttributeType])
        let color = composite(
            "color",
            [
                attribute("red", .doubleAttributeType), attribute("code", .stringAttributeType),
                composite("shade", [attribute("depth", .integer16AttributeType)]),
                attribute("price", .decimalAttributeType),
            ])
        builder["Paint"].properties.append(color)
        builder["Paint"].uniquenessConstraints = [["color.code"]]
        builder["Paint"].indexes = [
            NSFetchIndexDescription(
                name: "byRed",
                elements: [NSFetchIndexElementDescription(property: color.elements[0], collationType: .binary)])
        ]
        return builder.model
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
        return attribute
    }

    private static func composite(
        _ name: String, _ elements: [NSAttributeDescription]
    ) -> NSCompositeAttributeDescription {
        let composite = NSCompositeAttributeDescription()
        (composite.name, composite.isOptional, composite.elements) = (name, true, elements)
        return composite
    }

    /// The same objects in a file and on a server.
    private func stacks() throws -> [Stack] {
        let model = try Self.model()
        let stacks = [
            try Stack(model),
            try Stack(model, url: PostgresServer.shared.get().makeURL("elements"), kind: .postgreSQL),
        ]
        for stack in stacks {
            for number in 0..<20 {
                var color: [String: Any]? = ["red": Double(number) / 4, "code": "c\(number)"]
                if number % 3 == 0 { color?["shade"] = ["depth": number] }
                if number % 7 == 6 { color = nil }
                stack.context.insert(number % 5 == 0 ? "Gloss" : "Paint", ["name": "n\(number)", "color": color])
            }
            try stack.context.save()
            stack.context.reset()
        }
        return stacks
    }

    private func contents(_ stack: Stack) throws -> [String] {
        stack.context.reset()
        return try stack.context.all("Paint", sortedBy: "name").map { paint in
            let values = ["red", "code", "shade.depth", "price"].map { path -> String in
                switch paint.value(forKeyPath: "color.\(path)") {
                case let number as NSNumber: "\(number.doubleValue)"
                case let text as String: text
                default: "nil"
                }
            }
            return "\(paint.entity.name ?? "") \(paint.value(forKey: "name") ?? "") \(values) "
                + "\(paint.value(forKey: "color") == nil)"
        }
    }

    @Test("elements are updated on a server as in a file (CTX-36)")
    func elementsAreUpdatedOnServerAsInFile() throws {
        let stacks = try stacks()
        let updates: [(entity: String, values: [AnyHashable: Any], format: String)] = [
            ("Paint", ["color.red": 0.75], "name < 'n15'"), ("Paint", ["color.shade.depth": 7], "color == nil"),
            ("Gloss", ["color.red": NSExpression(format: "color.red * 2 + 1"), "name": "gloss"], "TRUEPREDICATE"),
            ("Paint", ["color.shade": NSNull(), "color.price": NSDecimalNumber(string: "1.25")], "color.red > 2"),
            ("Paint", ["color.shade": ["depth": 5], "color.red": NSNull()], "color.shade.depth == 7"),
            ("Paint", ["color.red": "text"], "TRUEPREDICATE"), ("Paint", ["color.rad": 1], "TRUEPREDICATE"),
            ("Paint", ["color.red": NSExpression(format: "name")], "TRUEPREDICATE"),
            ("Paint", ["color.shade.depth": NSExpression(forConstantValue: 70_000)], "TRUEPREDICATE"),
            ("Paint", ["color.code": "same"], "TRUEPREDICATE"),
            (
                "Paint", ["color.shade.depth": NSNull(), "color.code": NSNull(), "color.price": NSNull()],
                "color.red == nil"
            ),
        ]
        for update in updates {
            let results = stacks.map { stack -> String in
                let request = NSBatchUpdateRequest(entityName: update.entity)
                request.propertiesToUpdate = update.values
                request.predicate = NSPredicate(format: update.format)
                request.resultType = .updatedObjectsCountResultType
                do {
                    return "\((try stack.context.execute(request) as? NSBatchUpdateResult)?.result ?? "nil")"
                } catch { return "error \((error as NSError).code)" }
            }
            #expect(results[0] == results[1], "\(update)")
            #expect(try contents(stacks[0]) == contents(stacks[1]), "\(update)")
        }
    }

    @Test("an element is unique on a server (CTX-21)")
    func elementIsUniqueOnServer() throws {
        let stack = try stacks()[1]
        let paints = try stack.context.all("Paint", sortedBy: "name")
        let new = stack.context.insert("Gloss", ["name": "x", "color": ["code": "c1"]])
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSManagedObjectConstraintMergeError)
        let conflict = try #require((error?.userInfo["conflictList"] as? [NSConstraintConflict])?.first)
        #expect(conflict.constraint == ["color.code"] && conflict.conflictingObjects == [new])
        #expect(conflict.databaseObject?.value(forKey: "name") as? String == "n1")
        new.setValue("x", forKeyPath: "color.code")
        try stack.context.save()
        // Values change hands in one save.
        let pair = paints.filter { $0.value(forKeyPath: "color.code") != nil }.prefix(2)
        let codes = pair.map { $0.value(forKeyPath: "color.code") as? String }
        for (paint, code) in zip(pair, codes.reversed()) { paint.setValue(code, forKeyPath: "color.code") }
        try stack.context.save()
        #expect(try stack.newContext().all("Paint", NSPredicate(format: "color.code == %@", codes[0] ?? "")).count == 1)
    }
}
