import CoreDataGraph
import Testing

extension StoreContract {
    static let predicates =
        questions.map { question in
            Clause("FET-03: finds \(question.format)") { try answers($0, question) }
        } + [
            Clause("FET-15: predicates over relationships of each kind", overRelationships),
            Clause("FET-03: values of each type are found", valuesOfEachType),
        ]

    /// A predicate, and the names of the heroes that it finds.
    private struct Question: Sendable {
        let format: String
        let names: Set<String>
    }

    /// The data: heroes "Ann" with strength 1, "Bob" with 2, "anna" with 3, "Ä%_" with nil, and the super hero "Zoë"
    /// with 300.
    private static let questions = [
        Question(format: "strength == 2", names: ["Bob"]),
        Question(format: "strength != 2", names: ["Ann", "anna", "Ä%_", "Zoë"]),
        Question(format: "strength < 3", names: ["Ann", "Bob"]),
        Question(format: "strength >= 3", names: ["anna", "Zoë"]),
        Question(format: "strength BETWEEN {2, 3}", names: ["Bob", "anna"]),
        Question(format: "strength IN {1, 300, 7}", names: ["Ann", "Zoë"]),
        Question(format: "strength == nil", names: ["Ä%_"]),
        Question(format: "strength != nil AND NOT strength > 1", names: ["Ann"]),
        Question(format: "name == 'Ann'", names: ["Ann"]),
        Question(format: "name ==[c] 'ANN'", names: ["Ann"]),
        Question(format: "name BEGINSWITH[c] 'ann'", names: ["Ann", "anna"]),
        Question(format: "name BEGINSWITH 'ann'", names: ["anna"]),
        Question(format: "name ENDSWITH 'b'", names: ["Bob"]),
        Question(format: "name CONTAINS '%'", names: ["Ä%_"]),
        Question(format: "name CONTAINS[cd] 'E'", names: ["Zoë"]),
        Question(format: "name LIKE '?n*'", names: ["Ann", "anna"]),
        Question(format: "name LIKE 'B*b' OR name LIKE[cd] 'a%_'", names: ["Bob", "Ä%_"]),
        Question(format: "name MATCHES '[A-Z][a-z]+'", names: ["Ann", "Bob"]),
        Question(format: "name IN {'Bob', 'Zoë'}", names: ["Bob", "Zoë"]),
        Question(format: "name > 'B' AND name < 'C'", names: ["Bob"]),
        Question(format: "strength * 2 == 6", names: ["anna"]),
        Question(format: "TRUEPREDICATE", names: ["Ann", "Bob", "anna", "Ä%_", "Zoë"]),
        Question(format: "FALSEPREDICATE", names: []),
    ]

    private static func answers(_ store: ContractStore, _ question: Question) throws {
        let stack = try store.open(HeroModel.make())
        for (name, strength) in [("Ann", 1), ("Bob", 2), ("anna", 3), ("Ä%_", nil)] as [(String, Int?)] {
            stack.context.insert("Hero", ["name": name, "strength": strength])
        }
        stack.context.insert("SuperHero", ["name": "Zoë", "strength": 300])
        let predicate = NSPredicate(format: question.format)
        func names(_ context: NSManagedObjectContext) throws -> [String] {
            try context.all("Hero", predicate).map { $0.nameValue ?? "nil" }.sorted()
        }
        #expect(try names(stack.context) == question.names.sorted(), "before the save")
        try stack.context.save()
        let again = try stack.reopened()
        #expect(try names(again.context) == question.names.sorted(), "after reopening")
        let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
        request.predicate = predicate
        #expect(try again.context.count(for: request) == question.names.count, "counted")
    }

    @Sendable private static func overRelationships(_ store: ContractStore) throws {
        var stack = try store.open(HeroModel.make())
        let ann = stack.context.insert("Hero", ["name": "Ann", "strength": 1])
        let bob = stack.context.insert("SuperHero", ["name": "Bob", "strength": 2, "nemesis": ann])
        stack.context.insert("Hero", ["name": "Cid"])
        stack.context.insert("Power", ["name": "P", "level": 1, "hero": ann])
        stack.context.insert("Power", ["name": "Q", "level": 5, "hero": ann])
        stack.context.insert("Power", ["name": "R", "level": 9, "hero": bob])
        stack.context.insert("Team", ["name": "T", "members": NSSet(array: [ann, bob])])
        try stack.context.save()
        stack = try stack.reopened()
        func expect(_ entity: String, _ format: String, _ names: [String], _ at: SourceLocation = #_sourceLocation)
            throws
        {
            let found = try stack.context.all(entity, NSPredicate(format: format)).map { $0.nameValue ?? "nil" }
            #expect(found.sorted() == names, "\(format)", sourceLocation: at)
        }
        try expect("Power", "hero.name == 'Ann'", ["P", "Q"])
        try expect("Power", "hero.nemesis.name == 'Ann'", ["R"])
        try expect("Hero", "ANY powers.level > 4", ["Ann", "Bob"])
        try expect("Hero", "powers.@count == 2", ["Ann"])
        try expect("Hero", "powers.@count == 0", ["Cid"])
        try expect("Hero", "SUBQUERY(powers, $p, $p.level > 4).@count == 1", ["Ann", "Bob"])
        try expect("Hero", "ANY teams.name == 'T'", ["Ann", "Bob"])
        try expect("Team", "ANY members.strength == 2", ["T"])
        try expect("Hero", "nemesis == nil", ["Ann", "Cid"])
        try expect("Hero", "hunter.name == 'Bob'", ["Ann"])
    }

    @Sendable private static func valuesOfEachType(_ store: ContractStore) throws {
        let stack = try store.open(AttributeSample.model())
        let samples = AttributeSample.all.filter { sample in
            ["int16", "int32", "int64", "date", "uuid", "uri", "flag"].contains(sample.key) && sample.needs.isEmpty
        }
        for sample in samples {
            for value in sample.values { stack.context.insert("Sample", [sample.key: value]) }
        }
        try stack.context.save()
        let again = try stack.reopened()
        for sample in samples {
            for (number, value) in sample.values.enumerated() {
                let found = try again.context.all("Sample", NSPredicate(format: "%K == %@", sample.key, value))
                #expect(found.count == 1, "\(sample.key), value \(number)")
                let isSame = AttributeSample.same(found.first?.value(forKey: sample.key), value)
                #expect(isSame, "\(sample.key), value \(number)")
            }
        }
    }
}
