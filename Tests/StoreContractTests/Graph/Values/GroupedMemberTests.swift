import CoreData
import StoreContract
import Testing

/// Grouped dictionaries with aggregates over the members of a to-many relationship.
@Suite("Aggregates over members in groups")
struct GroupedMemberTests {
    private func stack(_ kind: StoreKind) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity("Coder", ["name": .stringAttributeType, "city": .stringAttributeType])
        builder.entity("Lang", ["name": .stringAttributeType, "year": .integer64AttributeType])
        builder.relationships("Coder.langs*", "Lang.coders*")
        let stack = try Stack(builder.model, kind: kind)
        let langs = [("C", 1972), ("Swift", 2014), ("Ada", 1980)].map {
            stack.context.insert("Lang", ["name": $0.0, "year": $0.1])
        }
        for (name, city, known) in [("a", "Oslo", [0, 1]), ("b", "Oslo", [1]), ("c", "Rome", [2]), ("d", "Kyiv", [])] {
            let coder = stack.context.insert("Coder", ["name": name, "city": city])
            coder.setValue(NSSet(array: known.map { langs[$0] }), forKey: "langs")
        }
        try stack.context.save()
        return stack
    }

    private func column(_ name: String, _ expression: NSExpression?) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = expression
        description.expressionResultType = .integer64AttributeType
        return description
    }

    @Test("counts, sums and extremes of members go over all rows of the group (FET-20)", arguments: StoreKind.all)
    func countsSumsAndExtremesOfMembersGoOverAllRowsOfGroup(kind: StoreKind) throws {
        let stack = try stack(kind)
        let request = NSFetchRequest<NSDictionary>(entityName: "Coder")
        request.resultType = .dictionaryResultType
        request.propertiesToGroupBy = ["city"]
        let names = NSExpression(forKeyPath: "langs.name")
        request.propertiesToFetch = [
            "city", column("called", NSExpression(forFunction: "count:", arguments: [names])),
            column("path", NSExpression(forKeyPath: "langs.@count")),
            column("named", NSExpression(forKeyPath: "langs.name.@count")),
            column("sum", NSExpression(forKeyPath: "langs.@sum.year")),
            column("first", NSExpression(forFunction: "min:", arguments: [NSExpression(forKeyPath: "langs.year")])),
            column("last", NSExpression(forKeyPath: "langs.@max.year")),
        ]
        request.sortDescriptors = [NSSortDescriptor(key: "city", ascending: true)]
        let rows = try stack.context.fetch(request).map { row in
            ["called", "path", "named", "sum", "first", "last"].map { row[$0] as? Int }
        }
        #expect(rows[0].prefix(4) == [0, 0, 0, 0] && rows[0].suffix(2) == [nil, nil])
        #expect(rows[1] == [3, 3, 3, 6000, 1972, 2014])
        #expect(rows[2] == [1, 1, 1, 1980, 1980, 1980])
        request.havingPredicate = NSPredicate(format: "langs.@count > 1")
        #expect(try stack.context.fetch(request).map { $0["city"] as? String } == ["Oslo"])
    }

    @Test("averages of members are those of all members of the group's rows (FET-20)", arguments: StoreKind.all)
    func averagesOfMembersAreThoseOfAllMembersOfGroupsRows(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Owner", ["name": .stringAttributeType, "city": .stringAttributeType])
        builder.entity(
            "Pet",
            ["age": .integer64AttributeType, "weight": .doubleAttributeType, "price": .decimalAttributeType])
        builder.relationships("Owner.pets*", "Pet.owner")
        let stack = try Stack(builder.model, kind: kind)
        for (city, ages) in [("Oslo", [1, nil, 3]), ("Oslo", [4]), ("Rome", [5, 6]), ("Kyiv", [nil]), ("Kyiv", [])] {
            let owner = stack.context.insert("Owner", ["name": "o", "city": city])
            for age in ages {
                let values: [String: Any?] = [
                    "age": age, "weight": age.map { Double($0) / 4 },
                    "price": age.map { NSDecimalNumber(string: "0.\($0)") },
                ]
                stack.context.insert("Pet", values).setValue(owner, forKey: "owner")
            }
        }
        try stack.context.save()
        let request = NSFetchRequest<NSDictionary>(entityName: "Owner")
        request.resultType = .dictionaryResultType
        request.propertiesToGroupBy = ["city"]
        func average(_ path: String) -> NSExpression {
            NSExpression(forFunction: "average:", arguments: [NSExpression(forKeyPath: path)])
        }
        let columns = [
            column("called", average("pets.age")), column("path", NSExpression(forKeyPath: "pets.@avg.age")),
            column("weight", average("pets.weight")), column("price", average("pets.price")),
        ]
        for column in columns { column.expressionResultType = .doubleAttributeType }
        columns[3].expressionResultType = .decimalAttributeType
        request.propertiesToFetch = ["city"] + columns
        request.sortDescriptors = [NSSortDescriptor(key: "city", ascending: true)]
        let rows = try stack.context.fetch(request)
        let mean = 8.0 / 3
        #expect(rows.map { $0["called"] as? Double } == [nil, mean, 5.5])
        #expect(rows.map { $0["path"] as? Double } == [nil, mean, 5.5])
        #expect(rows.map { $0["weight"] as? Double } == [nil, 2.0 / 3, 1.375])
        let prices = rows.map { ($0["price"] as? NSDecimalNumber)?.stringValue }
        #expect(prices[0] == nil && prices[1]?.hasPrefix("0.266666") == true && prices[2] == "0.55")
        request.havingPredicate = NSPredicate(format: "pets.@avg.age > 3")
        #expect(try stack.context.fetch(request).map { $0["city"] as? String } == ["Rome"])
        request.havingPredicate = nil
        request.sortDescriptors = [NSSortDescriptor(key: "path", ascending: false)]
        #expect(try stack.context.fetch(request).map { $0["city"] as? String } == ["Rome", "Oslo", "Kyiv"])
    }

    // MARK: What cannot be put together of the rows' own

    private static func petModel() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Town", ["name": .stringAttributeType])
        builder.entity("Owner", ["name": .stringAttributeType, "city": .stringAttributeType])
        builder.entity(
            "Pet",
            [
                "name": .stringAttributeType, "age": .integer64AttributeType, "weight": .doubleAttributeType,
                "price": .decimalAttributeType, "born": .dateAttributeType, "mark": .UUIDAttributeType,
                "chip": .binaryDataAttributeType, "tags": .transformableAttributeType,
            ])
        builder.relationships("Owner.pets*", "Pet.owner")
        builder.relationships("Town.owners*", "Owner.town")
        return builder.model
    }

    private static let marks = (0..<2).map { UUID(uuid: (UInt8($0), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9)) }

    /// Owners with pets of ages; nobody in Kyiv has a pet of known age.
    private func addPets(_ context: NSManagedObjectContext, in store: NSPersistentStore? = nil) {
        func insert(_ entity: String, _ values: [String: Any?]) -> NSManagedObject {
            let object = context.insert(entity, values)
            if let store { context.assign(object, to: store) }
            return object
        }
        let towns = Dictionary(
            uniqueKeysWithValues: ["Kyiv", "Oslo", "Rome"].map { ($0, insert("Town", ["name": $0])) })
        for (city, ages) in [
            ("Oslo", [1, nil, 3]), ("Oslo", [4]), ("Rome", [5, 6]), ("Rome", [6]), ("Kyiv", [nil]),
            ("Kyiv", []),
        ] as [(String, [Int?])] {
            let owner = insert("Owner", ["name": "o", "city": city, "town": towns[city] ?? nil])
            for age in ages {
                let values: [String: Any?] = [
                    "name": age.map { $0 > 4 ? "é  x" : $0 == 3 ? "y" : "" }, "age": age,
                    "weight": age.map { Double($0) / 4 }, "price": age.map { NSDecimalNumber(string: "0.\($0)") },
                    "born": age.map { Date(timeIntervalSinceReferenceDate: Double($0) * 10.5) },
                    "mark": age.map { Self.marks[$0 % 2] }, "chip": age.map { Data([0, 32, UInt8($0 % 2)]) },
                ]
                insert("Pet", values).setValue(owner, forKey: "owner")
            }
        }
    }

    private func over(_ function: String, _ path: String, _ type: NSAttributeType) -> NSExpressionDescription {
        let name = (function + path).map { $0.isLetter ? $0 : "_" }
        let column = column(
            String(name), NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: path)]))
        column.expressionResultType = type
        return column
    }

    private static func deviation(_ numbers: [Double]) -> Double {
        let mean = numbers.reduce(0, +) / Double(numbers.count)
        return (numbers.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(numbers.count)).squareRoot()
    }

    @Test(
        "median, deviation and mode go over the members of all rows of a group (FET-17, FET-20)",
        arguments: StoreKind.all)
    func medianDeviationAndModeGoOverMembersOfAllRowsOfGroup(kind: StoreKind) throws {
        let stack = try Stack(Self.petModel(), kind: kind)
        addPets(stack.context)
        try stack.context.save()
        try expectMiddles(stack.newContext(), copies: 1)
    }

    @Test("and over those of several stores (FET-17, FET-20)")
    func middlesOfSeveralStores() throws {
        let stack = try Stack(Self.petModel())
        let other = try stack.coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        for store in [stack.store, other] { addPets(stack.context, in: store) }
        try stack.context.save()
        try expectMiddles(stack.newContext(), copies: 2)
    }

    private func expectMiddles(_ context: NSManagedObjectContext, copies: Int) throws {
        for (entity, key, start) in [("Owner", "city", "pets"), ("Town", "name", "owners.pets")] {
            let request = NSFetchRequest<NSDictionary>(entityName: entity)
            request.resultType = .dictionaryResultType
            request.propertiesToGroupBy = [key]
            func column(_ function: String, _ path: String, _ type: NSAttributeType) -> NSExpressionDescription {
                over(function, "\(start).\(path)", type)
            }
            let columns = [
                column("median:", "age", .doubleAttributeType), column("median:", "weight", .doubleAttributeType),
                column("median:", "price", .decimalAttributeType), column("median:", "born", .dateAttributeType),
                column("stddev:", "age", .doubleAttributeType), column("mode:", "age", .integer64AttributeType),
                column("mode:", "name", .stringAttributeType), column("mode:", "mark", .UUIDAttributeType),
                column("mode:", "chip", .binaryDataAttributeType),
                column("median:", "name.length", .doubleAttributeType),
            ]
            request.propertiesToFetch = [key] + columns
            request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
            let rows = try context.fetch(request)
            #expect(rows.map { $0[key] as? String } == ["Kyiv", "Oslo", "Rome"])
            #expect(columns.allSatisfy { rows[0][$0.name] == nil })
            func values<Value>(_ number: Int, as type: Value.Type) -> [Value?] {
                rows.dropFirst().map { $0[columns[number].name] as? Value }
            }
            #expect(values(0, as: Double.self) == [3, 6])
            #expect(values(1, as: Double.self) == [0.75, 1.5])
            #expect(values(2, as: NSDecimalNumber.self) == ["0.3", "0.6"].map { NSDecimalNumber(string: $0) })
            #expect(values(3, as: Date.self) == [31.5, 63].map { Date(timeIntervalSinceReferenceDate: $0) })
            let ages: [[Double]] = [[1, 3, 4], [5, 6, 6]].map { Array(repeating: $0, count: copies).flatMap(\.self) }
            for (found, ages) in zip(values(4, as: Double.self), ages) {
                #expect(abs((found ?? -1) - Self.deviation(ages)) < 1e-9)
            }
            #expect(values(5, as: Int.self) == [1, 6])
            #expect(values(6, as: String.self) == ["", "é  x"])
            #expect(values(7, as: UUID.self) == [Self.marks[1], Self.marks[0]])
            #expect(values(8, as: Data.self) == [Data([0, 32, 1]), Data([0, 32, 0])])
            #expect(values(9, as: Double.self) == [0, 4])
            request.havingPredicate = NSPredicate(format: "%K > 3", columns[0].name)
            #expect(try context.fetch(request).map { $0[key] as? String } == ["Rome"])
            request.havingPredicate = nil
            request.sortDescriptors = [NSSortDescriptor(key: columns[0].name, ascending: false)]
            request.fetchLimit = 2
            #expect(try context.fetch(request).map { $0[key] as? String } == ["Rome", "Oslo"])
        }
    }

    @Test(
        "a function that cannot go over the members is refused by its name, in every store (FET-20)",
        arguments: StoreKind.all)
    func impossibleMiddles(kind: StoreKind) throws {
        let stack = try Stack(Self.petModel(), kind: kind)
        for (function, path, cure) in [
            ("median:", "pets.name", "numbers nor dates"), ("stddev:", "pets.mark", "numbers nor dates"),
            ("mode:", "pets", "name one behind it"), ("median:", "pets.owner", "name one behind it"),
            ("mode:", "pets.tags", "name another attribute"),
            ("median:", "pets.@distinctUnionOfObjects.age", "name one behind it"),
        ] {
            let request = NSFetchRequest<NSDictionary>(entityName: "Owner")
            request.resultType = .dictionaryResultType
            request.propertiesToGroupBy = ["city"]
            request.propertiesToFetch = ["city", over(function, path, .doubleAttributeType)]
            let error = #expect(throws: NSError.self) { _ = try stack.context.fetch(request) }
            #expect(error?.code == NSCoreDataError)
            let text = error?.localizedDescription ?? ""
            #expect(text.contains("\(function)(\(path))") && text.contains(cure), "\(text)")
        }
    }

    @Test("a description without an expression names an attribute, or has no value (FET-20)", arguments: StoreKind.all)
    func withoutExpression(kind: StoreKind) throws {
        let stack = try stack(kind)
        let request = NSFetchRequest<NSDictionary>(entityName: "Coder")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [column("name", nil), column("other", nil)]
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let rows = try stack.context.fetch(request)
        #expect(rows.map { $0["name"] as? String } == ["a", "b", "c", "d"])
        #expect(rows.allSatisfy { $0["other"] == nil })
    }

    @Test("in a subquery ANY before a path to one value is the plain comparison (FET-15)", arguments: StoreKind.all)
    func quantifiedValue(kind: StoreKind) throws {
        let stack = try stack(kind)
        for format in [
            "SUBQUERY(langs, $v, ANY $v.name BEGINSWITH[c] 's').@count > 0",
            "SUBQUERY(langs, $v, $v.name BEGINSWITH[c] 's').@count > 0",
            "SUBQUERY(langs, $v, ALL $v.name BEGINSWITH[c] 's').@count > 0",
        ] {
            let predicate = NSPredicate(format: format)
            let found = try stack.context.all("Coder", predicate).compactMap { $0.value(forKey: "name") as? String }
            #expect(found.sorted() == ["a", "b"], "\(format)")
            let everyone = try stack.context.all("Coder")
            let held = everyone.filter(predicate.evaluate).compactMap { $0.value(forKey: "name") as? String }
            #expect(held.sorted() == ["a", "b"], "\(format)")
        }
        let none = NSPredicate(format: "SUBQUERY(langs, $v, NONE $v.name BEGINSWITH[c] 's').@count > 0")
        #expect(try stack.context.all("Coder", none).count == 2)
        #expect(try stack.context.all("Coder").filter(none.evaluate).count == 2)
    }
}
