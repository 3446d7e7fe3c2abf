import CoreData
import StoreContract
import Testing

/// What a fetch throws for an expression that has no value: the same in stores of every kind.
@Suite struct EvaluationErrorTests {
    /// Predicates with a part of the text of the error.
    private static let predicates = [
        ("name MATCHES '('", "the regular expression is not valid"),
        ("name MATCHES secretIdentity", "the regular expression is not valid"),
        ("strength BETWEEN {1, 2, 3}", "the right hand side of BETWEEN is not suitable"),
        ("strength IN 5", "the right hand side of IN is not suitable"), ("name + 1 == 2", "add:to: cannot use"),
        ("name BETWEEN strength", "the right hand side of BETWEEN is not suitable"),
        ("name == $unbound", "no value was given for the variable $unbound"), ("sum(name) == 1", "cannot use"),
        ("name BEGINSWITH strength", "BEGINSWITH cannot use"), ("strength CONTAINS 'a'", "CONTAINS cannot use"),
        ("abs(name) == 1", "abs: cannot use"), ("ANY name == 'a'", "ANY, ALL"),
        ("length(strength) == 1", "length: cannot use"),
    ]

    /// A request in each of the ways in which predicates are asked.
    private static func ask(_ way: String, _ predicate: NSPredicate, of context: NSManagedObjectContext) throws {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Hero")
        request.predicate = predicate
        switch way {
        case "objects": _ = try context.fetch(request)
        case "identifiers":
            request.resultType = .managedObjectIDResultType
            _ = try context.fetch(request)
        case "dictionaries":
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["name"]
            _ = try context.fetch(request)
        default: _ = try context.count(for: request)
        }
    }

    private static func expectRefusal(
        _ text: String, _ comment: String, at place: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) {
        do {
            try body()
            Issue.record("\(comment) is answered", sourceLocation: place)
        } catch {
            let found = error as NSError
            #expect(
                type(of: error) == NSError.self && found.domain == NSCocoaErrorDomain && found.code == NSCoreDataError
                    && found.localizedDescription.contains(text),
                "\(comment): \(type(of: error)) \(found)", sourceLocation: place)
        }
    }

    private func stack(_ kind: StoreKind) throws -> Stack {
        let stack = try Stack(HeroModel.make(), kind: kind)
        stack.context.insert("Hero", ["name": "a", "secretIdentity": "(", "strength": 5])
        try stack.context.save()
        return stack
    }

    @Test("an expression without a value is 134060 with a text (PRD-08, HAZ-53)", arguments: StoreKind.all)
    func expressionWithoutValue(kind: StoreKind) throws {
        let context = try stack(kind).context
        for (format, text) in Self.predicates {
            let predicate = try NSPredicate(parsing: format)
            for way in ["objects", "identifiers", "dictionaries", "count"] {
                Self.expectRefusal(text, "\(way) of \(format)") { try Self.ask(way, predicate, of: context) }
            }
        }
    }

    @Test(
        "so is one that an unsaved object has no value for, and one in a child context (PRD-08)",
        arguments: StoreKind.all)
    func expressionWithoutValueBesideUnsavedChanges(kind: StoreKind) throws {
        let stack = try stack(kind)
        stack.context.insert("Hero", ["name": "b", "secretIdentity": "(", "strength": 5])
        let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        child.parent = stack.context
        for (format, text) in Self.predicates {
            let predicate = try NSPredicate(parsing: format)
            for way in ["objects", "identifiers", "count"] {
                Self.expectRefusal(text, "\(way) of \(format)") { try Self.ask(way, predicate, of: stack.context) }
                Self.expectRefusal(text, "\(way) of \(format) in a child") { try Self.ask(way, predicate, of: child) }
            }
        }
    }

    @Test("a sort by what has no value is 134060 with a text (FET-12)", arguments: StoreKind.all)
    func sortWithoutValue(kind: StoreKind) throws {
        let stack = try stack(kind)
        let hero = try #require(try stack.context.all("Hero").first)
        stack.context.insert("Power", ["name": "flight", "hero": hero])
        try stack.context.save()
        for isPending in [false, true] {
            if isPending { stack.context.insert("Hero", ["name": "b"]) }
            for (key, text) in [("powers.@sum.name", "sum"), ("powers.name", "powers"), ("name.@count", "name.@count")]
            {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
                request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
                Self.expectRefusal(text, "\(key), \(isPending)") { _ = try stack.context.fetch(request) }
            }
        }
    }

    @Test("a pattern that takes too long is 134060 with what to do (HAZ-53)", arguments: StoreKind.all)
    func patternThatTakesTooLong(kind: StoreKind) throws {
        let stack = try stack(kind)
        stack.context.insert("Hero", ["name": String(repeating: "a", count: 5_000) + "!"])
        try stack.context.save()
        let error = #expect(throws: NSError.self) {
            try Self.ask("objects", NSPredicate(format: "name MATCHES '(a+)+$'"), of: stack.context)
        }
        #expect(error?.code == NSCoreDataError && error?.localizedDescription.contains("too many steps") == true)
        #expect(error?.localizedRecoverySuggestion?.contains("no repetition is within another") == true)
    }
}
