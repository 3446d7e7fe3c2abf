import CoreDataGraph
import StoreContract
import Testing

/// The store in memory has what a transformer made at hand, so predicates may look into it as evaluation does.
@Suite(.timeLimit(.minutes(5))) struct TransformablePredicateTests {
    private let stack: Stack

    init() throws {
        let builder = ModelBuilder()
        builder.entity(
            "Item",
            [
                "number": .integer64AttributeType, "tags": .transformableAttributeType,
                "info": .transformableAttributeType,
            ])
        builder.relationships("Item.parent", "Item.children*")
        stack = try Stack(builder.model, kind: .inMemory)
        let lists: [NSArray?] = [["a", "b", "c"], ["b"], [], nil, [1, 5, 3]]
        var parent: NSManagedObject?
        for (number, list) in lists.enumerated() {
            let item = stack.context.insert("Item", ["number": number, "tags": list])
            item.setValue(["city": "Rome", "size": number] as NSDictionary, forKey: "info")
            item.setValue(parent, forKey: "parent")
            parent = parent ?? item
        }
        try stack.context.save()
    }

    private func numbers(_ format: String) throws -> [Int] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = try NSPredicate(parsing: format)
        return try stack.newContext().fetch(request).compactMap { $0.value(forKey: "number") as? Int }.sorted()
    }

    @Test(
        "a predicate into a transformable array selects in the store what evaluation selects (STO-03)",
        arguments: [
            ("count:(tags) >= 3", [0, 4]), ("max:(tags) == 5", [4]), ("min:(tags) == 1", [4]),
            ("ANY tags == 'b'", [0, 1]),
            ("ALL tags == 'b'", [1, 2, 3]), ("NONE tags == 'b'", [2, 3, 4]), ("tags CONTAINS 'b'", [0, 1]),
            ("'c' IN tags", [0]), ("tags[0] == 'a'", [0]), ("tags[LAST] == 'b'", [1]), ("tags.@count == 0", [2]),
            ("tags.@count == 3", [0, 4]), ("tags == nil", [3]), ("tags != nil", [0, 1, 2, 4]), ("tags == {'b'}", [1]),
            ("SUBQUERY(tags, $t, $t == 'b').@count == 1", [0, 1]),
            ("SUBQUERY(children, $c, ANY $c.tags == 'b').@count == 1", [0]), ("info.city == 'Rome'", [0, 1, 2, 3, 4]),
            ("info.size > 3", [4]), ("tags.@max.self == 5", [4]), ("parent.info.size == 0 AND number < 2", [1]),
        ] as [(String, [Int])])
    func storeSelectsWhatEvaluationSelects(format: String, expected: [Int]) throws {
        #expect(try numbers(format) == expected)
        let predicate = try NSPredicate(parsing: format)
        // Kept: objects without their context have no values to evaluate.
        let context = stack.newContext()
        let evaluated = try context.all("Item").filter { try predicate.evaluation(with: $0) }
        #expect(evaluated.compactMap { $0.value(forKey: "number") as? Int }.sorted() == expected)
    }

    @Test("what has no values to look into is an error of the fetch, and no stop (STO-03)")
    func mistakesAreErrors() {
        for format in ["ANY number == 1", "tags.nothing == 1", "info.city.@count == 1"] {
            #expect(throws: (any Error).self, "\(format)") { try numbers(format) }
        }
    }
}
