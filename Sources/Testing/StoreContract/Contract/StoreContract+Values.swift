import CoreDataGraph
import Testing

extension StoreContract {
    static let values = [
        Clause("FET-15: dictionaries have the selected values, in order, within limits", selectedValues),
        Clause("FET-15: paths, objects and calculated values; nil leaves its key out", calculatedValues),
        Clause("FET-15: equal dictionaries once", distinctValues),
        Clause("FET-16, FET-17: aggregates over all rows and over none", aggregates),
        Clause("FET-19: one dictionary a group, chosen by aggregates", groups),
        Clause("FET-15: unsaved changes do not show in dictionaries", unsavedValues),
    ]

    /// Saves heroes H0…H9, whose strength is the number in the name. H0 is the mentor of the even ones; H9 has neither
    /// birth date nor secret identity.
    private static func heroes(_ store: ContractStore) throws -> Stack {
        let stack = try store.open(HeroModel.make())
        let mentor = stack.context.insert(
            "Hero", ["name": "H0", "strength": 0, "birthDate": day(0), "secretIdentity": "a"])
        for number in 1..<10 {
            let hero = stack.context.insert(
                number == 5 ? "SuperHero" : "Hero", ["name": "H\(number)", "strength": number])
            if number < 9 {
                hero.setValue(day(number), forKey: "birthDate")
                hero.setValue(number < 4 ? "a" : "b", forKey: "secretIdentity")
            }
            if number.isMultiple(of: 2) { hero.setValue(mentor, forKey: "mentor") }
        }
        try stack.context.save()
        return try stack.reopened()
    }

    private static func day(_ number: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(number) * 86_400) }

    private static func request(_ properties: [Any]?, by keys: [Any]? = nil) -> NSFetchRequest<NSDictionary> {
        let request = NSFetchRequest<NSDictionary>(entityName: "Hero")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = properties
        request.propertiesToGroupBy = keys
        request.sortDescriptors = [NSSortDescriptor(key: "strength", ascending: true)]
        return request
    }

    private static func column(_ name: String, type: NSAttributeType, format: String) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = NSExpression(format: format)
        description.expressionResultType = type
        return description
    }

    @Sendable private static func selectedValues(_ store: ContractStore) throws {
        let stack = try heroes(store)
        let request = request(["name", "strength"])
        request.predicate = NSPredicate(format: "strength > 2")
        (request.fetchLimit, request.fetchOffset) = (2, 1)
        let found = try stack.context.fetch(request)
        #expect(found == [["name": "H4", "strength": 4], ["name": "H5", "strength": 5]])
        request.includesSubentities = false
        #expect(try stack.context.fetch(request).map { $0["strength"] as? Int } == [4, 6])
        #expect(stack.context.registeredObjects.isEmpty)
    }

    @Sendable private static func calculatedValues(_ store: ContractStore) throws {
        let stack = try heroes(store)
        let request = request([
            "birthDate", "mentor.name", "mentor", column("twice", type: .doubleAttributeType, format: "strength * 2"),
            column("students", type: .integer32AttributeType, format: "students.@count"),
            column("best", type: .integer32AttributeType, format: "max(students.strength)"),
        ])
        let found = try stack.context.fetch(request)
        let mentor = try #require(try stack.context.all("Hero", NSPredicate(format: "name == 'H0'")).first)
        #expect(found.count == 10)
        #expect(found[0] == ["birthDate": day(0), "twice": 0.0, "students": 4, "best": 8])
        #expect(
            found[2]["mentor"] as? NSManagedObjectID == mentor.objectID && found[2]["mentor.name"] as? String == "H0")
        #expect(found[9] == ["twice": 18.0, "students": 0])
    }

    @Sendable private static func distinctValues(_ store: ContractStore) throws {
        let stack = try heroes(store)
        let request = request(["secretIdentity"])
        request.returnsDistinctResults = true
        request.sortDescriptors = [NSSortDescriptor(key: "secretIdentity", ascending: false)]
        #expect(try stack.context.fetch(request).map { $0["secretIdentity"] as? String } == ["B", "A", nil])
        #expect(try stack.context.count(for: request) == 3)
    }

    @Sendable private static func aggregates(_ store: ContractStore) throws {
        let stack = try heroes(store)
        let request = request([
            column("sum", type: .integer64AttributeType, format: "sum(strength)"),
            column("mean", type: .doubleAttributeType, format: "average(strength)"),
            column("least", type: .integer16AttributeType, format: "min(strength)"),
            column("last", type: .stringAttributeType, format: "max(name)"),
            column("count", type: .integer16AttributeType, format: "count(birthDate)"),
            column("born", type: .dateAttributeType, format: "average(birthDate)"),
            column("middle", type: .doubleAttributeType, format: "median(strength)"),
            column("usual", type: .stringAttributeType, format: "mode(secretIdentity)"),
        ])
        request.sortDescriptors = nil
        request.predicate = NSPredicate(format: "strength > 0")
        let wanted: NSDictionary = [
            "sum": 45, "mean": 5.0, "least": 1, "last": "H9", "count": 8, "middle": 5.0, "usual": "B",
            "born": Date(timeIntervalSinceReferenceDate: 4.5 * 86_400),
        ]
        #expect(try stack.context.fetch(request) == [wanted])
        request.predicate = NSPredicate(value: false)
        #expect(try stack.context.fetch(request) == [["sum": 0, "count": 0]])
    }

    @Sendable private static func groups(_ store: ContractStore) throws {
        let stack = try heroes(store)
        let request = request(
            ["secretIdentity", column("n", type: .integer16AttributeType, format: "count(name)")],
            by: ["secretIdentity"])
        request.sortDescriptors = [
            NSSortDescriptor(key: "n", ascending: false), NSSortDescriptor(key: "secretIdentity", ascending: true),
        ]
        let all: [NSDictionary] = [["secretIdentity": "B", "n": 5], ["secretIdentity": "A", "n": 4], ["n": 1]]
        #expect(try stack.context.fetch(request) == all)
        request.havingPredicate = NSPredicate(format: "max(strength) < 9 AND n > 1")
        #expect(try stack.context.fetch(request) == Array(all[..<2]))
        request.fetchOffset = 1
        #expect(try stack.context.fetch(request) == Array(all[1..<2]))
        request.propertiesToFetch = ["name"]
        #expect(throws: NSError.self) { try stack.context.fetch(request) }
    }

    @Sendable private static func unsavedValues(_ store: ContractStore) throws {
        let stack = try heroes(store)
        stack.context.insert("Hero", ["name": "New", "strength": 70])
        try #require(try stack.context.all("Hero", sortedBy: "strength").first).setValue("Old", forKey: "name")
        let request = request(["name"])
        #expect(try stack.context.fetch(request).compactMap { $0["name"] as? String } == (0..<10).map { "H\($0)" })
        try stack.context.save()
        #expect(try stack.context.fetch(request).compactMap { $0["name"] as? String }.last == "New")
    }
}
