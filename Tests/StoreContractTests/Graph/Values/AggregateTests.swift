import CoreData
import StoreContract
import TestBasics
import Testing

@Suite struct AggregateTests {
    @Test("the average of dates is one dictionary with a date (FET-16)", arguments: StoreKind.all)
    func averageOfDates(kind: StoreKind) throws {
        let stack = try ValueModel.stack(kind)
        let request = values(
            "Person",
            properties: [column("averageBirthDate", type: .dateAttributeType, function: "average:", path: "birthDate")]
        ) {
            $0.predicate = NSPredicate(format: "sex == 'Female'")
        }
        let found = try stack.context.fetch(request)
        let dates = try stack.context.each("Person", key: "birthDate", as: Date.self, format: "sex == 'Female'")
        let mean = dates.map(\.timeIntervalSinceReferenceDate).reduce(0, +) / Double(dates.count)
        #expect(found.count == 1 && dates.count > 5)
        let date = try #require(found[0]["averageBirthDate"] as? Date)
        #expect(abs(date.timeIntervalSinceReferenceDate - mean) < 1e-6)
    }

    @Test("the average birth date of the women is that of the fixture (SAMPLE-05, FET-16)", arguments: StoreKind.all)
    func averageOfTheFixture(kind: StoreKind) throws {
        let stack = try Stack(try SuperDB.model(), kind: kind)
        SuperDB.fill(stack.context)
        try stack.context.save()
        let average = NSExpressionDescription()
        average.name = "averageBirthDate"
        average.expression = NSExpression(
            forFunction: "average:", arguments: [NSExpression(forKeyPath: "birthDate")])
        average.expressionResultType = .dateAttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: "Hero")
        request.predicate = NSPredicate(format: "sex == 'Female'")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [average]
        let found = try stack.context.fetch(request)
        // 1980-05-01 and 1990-12-31, at the middle between them.
        #expect(found == [["averageBirthDate": Date(timeIntervalSinceReferenceDate: -484_012_800)]])
    }

    @Test(
        "each aggregate is what memory makes of the values, with and without a predicate (FET-17)",
        arguments: StoreKind.all)
    func aggregatesEqualMemory(kind: StoreKind) throws {
        let stack = try ValueModel.stack(kind)
        for format in [nil, "sex == 'Male'", "age < -100"] {
            for key in ["age", "salary", "price", "large", "isActive"] {
                let functions = ["sum:", "average:", "min:", "max:", "count:", "median:", "stddev:"]
                let request = values("Person", properties: functions.map { column($0, function: $0, path: key) }) {
                    $0.predicate = format.map { NSPredicate(format: $0) }
                }
                let row = try #require(try stack.context.fetch(request).first)
                let numbers = try stack.context.each("Person", key: key, as: NSNumber.self, format: format)
                for function in functions {
                    let list = NSExpression(forConstantValue: numbers)
                    let wanted = NSExpression(forFunction: function, arguments: [list]).expressionValue(
                        with: nil, context: nil)
                    let (found, expected) = (row[function] as? NSNumber, wanted as? NSNumber)
                    #expect(found?.doubleValue == expected?.doubleValue, "\(function) \(key) \(format ?? "")")
                }
            }
        }
    }

    @Test(
        "the most frequent value, the least of several; texts and dates have extremes (FET-17)",
        arguments: StoreKind.all
    )
    func modeAndExtremes(kind: StoreKind) throws {
        let stack = try Stack(ValueModel.make(), kind: kind)
        for (name, age) in [("b", 3), ("a", 3), ("b", 1), ("a", 1), ("c", nil), (nil, 2)] as [(String?, Int?)] {
            stack.context.insert("Person", ["name": name, "age": age])
        }
        try stack.context.save()
        let request = values(
            "Person",
            properties: [
                column("name", type: .stringAttributeType, function: "mode:", path: "name"),
                column("age", type: .integer16AttributeType, function: "mode:", path: "age"),
                column("first", type: .stringAttributeType, function: "min:", path: "name"),
                column("last", type: .stringAttributeType, function: "max:", path: "name"),
                column("none", type: .dateAttributeType, function: "max:", path: "birthDate"),
                column("zero", type: .integer16AttributeType, function: "sum:", path: "large"),
                column("rows", type: .integer16AttributeType, expression: NSExpression(format: "count(SELF)")),
                column("mean", type: .doubleAttributeType, expression: NSExpression(forKeyPath: "@avg.age")),
                column(
                    "spread", type: .doubleAttributeType, expression: NSExpression(format: "max(age) - min(age) + 0.5")),
            ])
        let row = try #require(try stack.context.fetch(request).first)
        let wanted: NSDictionary = [
            "name": "a", "age": 1, "first": "a", "last": "c", "zero": 0, "rows": 6, "mean": 2.0, "spread": 2.5,
        ]
        #expect(row == wanted)
        #expect(row.count == wanted.count)
    }

    @Test("aggregates over key paths, and of aggregates of related objects (FET-17)", arguments: StoreKind.all)
    func aggregatesOverRelationships(kind: StoreKind) throws {
        let stack = try ValueModel.stack(kind)
        let request = values(
            "Department",
            properties: [
                "name",
                column("pay", type: .doubleAttributeType, expression: NSExpression(forKeyPath: "people.@sum.salary")),
                column("size", type: .integer32AttributeType, function: "count:", path: "people"),
                column("oldest", type: .integer16AttributeType, function: "max:", path: "people.age"),
                column("middle", type: .doubleAttributeType, function: "median:", path: "people.age"),
            ])
        let rows = try stack.context.fetch(request)
        #expect(rows.count == 4 && stack.context.registeredObjects.isEmpty)
        for department in try stack.context.all("Department") {
            let people = department.value(forKey: "people") as? Set<NSManagedObject> ?? []
            let row = rows.first { $0["name"] as? String == department.value(forKey: "name") as? String }
            let pay = people.compactMap { $0.value(forKey: "salary") as? Double }.reduce(0, +)
            #expect(abs((row?["pay"] as? Double ?? -1) - pay) < 1e-9)
            #expect(row?["size"] as? Int == people.count)
            #expect(row?["oldest"] as? Int == people.compactMap { $0.value(forKey: "age") as? Int }.max())
        }
        let total = values(
            "Department",
            properties: [
                column(
                    "largest", type: .integer32AttributeType, expression: NSExpression(format: "max(people.@count)")),
                column("all", type: .integer32AttributeType, expression: NSExpression(format: "sum(people.@count)")),
            ])
        let row = try #require(try stack.context.fetch(total).first)
        #expect(row["all"] as? Int == (try stack.context.all("Person", NSPredicate(format: "department != nil")).count))
        #expect(row["largest"] as? Int == rows.compactMap { $0["size"] as? Int }.max())
    }

    /// Apple's framework puts an `ORDER BY` into the statement, which SQLite takes and which orders a single line.
    @Test(
        "an aggregate of all rows is one dictionary, whatever the rows are sorted by (FET-16)", arguments: StoreKind.all
    )
    func sortedAggregate(kind: StoreKind) throws {
        let stack = try ValueModel.stack(kind)
        let sum = column("sum", type: .integer64AttributeType, function: "sum:", path: "age")
        let wanted = try stack.context.fetch(values("Person", properties: [sum]))
        for key in ["name", "age", "department.name", "sum"] {
            let request = values("Person", properties: [sum]) {
                $0.sortDescriptors = [NSSortDescriptor(key: key, ascending: false)]
            }
            #expect(try stack.context.fetch(request) == wanted && wanted.count == 1, "\(key)")
        }
        let unknown = values("Person", properties: [sum]) {
            $0.sortDescriptors = [NSSortDescriptor(key: "no", ascending: true)]
        }
        #expect(throws: NSError.self) { try stack.context.fetch(unknown) }
    }

    @Test("The coordinator and the context carry requests for dictionaries out", arguments: StoreKind.all)
    func coordinatorAndContextCarryRequestsForDictionariesOut(kind: StoreKind) throws {
        let stack = try ValueModel.stack(kind)
        let request = values("Person", properties: ["name", "sex"]) {
            $0.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        }
        let wanted = try stack.context.fetch(request)
        let found = try #require(try stack.coordinator.execute(request, with: stack.context) as? [NSDictionary])
        #expect(found == wanted && !found.isEmpty)
        #expect(throws: Never.self) { try stack.context.execute(request) }
        request.resultType = [.dictionaryResultType, .countResultType]
        let error = #expect(throws: NSError.self) { try stack.coordinator.execute(request, with: stack.context) }
        #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
    }

    @Test("one dictionary a group with what having chooses (FET-19)", arguments: StoreKind.all)
    func groupsWithCondition(kind: StoreKind) throws {
        let stack = try ValueModel.stack(kind)
        let count = column("count", type: .integer32AttributeType, function: "count:", path: "age")
        let request = values("Person", properties: ["sex", count], by: ["sex"]) {
            $0.sortDescriptors = [NSSortDescriptor(key: "sex", ascending: true)]
        }
        func wanted(_ format: String) throws -> Int {
            try stack.context.each("Person", key: "age", as: Int.self, format: format).count
        }
        let rows = try stack.context.fetch(request)
        #expect(rows.map { $0["sex"] as? String } == [nil, "Female", "Male"])
        #expect(rows[1]["count"] as? Int == (try wanted("sex == 'Female'")))
        #expect(rows[2]["count"] as? Int == (try wanted("sex == 'Male'")))
        for condition in [
            NSPredicate(format: "sex != nil AND count > 3"),
            NSPredicate(format: "%@ > 3 AND sex != nil", NSExpression(forVariable: "count")),
            NSPredicate(format: "count(age) > 3 AND sex != nil"),
        ] {
            request.havingPredicate = condition
            #expect(
                try stack.context.fetch(request).map { $0["sex"] as? String } == ["Female", "Male"], "\(condition)")
        }
        request.havingPredicate = NSPredicate(format: "count > 1000")
        #expect(try stack.context.fetch(request).isEmpty)
        #expect(try stack.context.count(for: request) == 0)
    }

    @Test("dates are grouped by their days exactly, whenever they are (FET-19)", arguments: StoreKind.all)
    func groupsByDays(kind: StoreKind) throws {
        let stack = try Stack(DayModel.make(), kind: kind)
        let times = DayModel.times(seed: TestSeed.first)
        try DayModel.fill(stack.context, times)
        #expect(try DayModel.days(in: stack.context) == DayModel.days(of: times), "CORE_DATA_SEED=\(TestSeed.first)")
    }

    @Test("groups by paths, objects and expressions, sorted by aggregates, in pages (FET-19)", arguments: StoreKind.all)
    func groupsByPathsAndExpressions(kind: StoreKind) throws {
        let stack = try ValueModel.stack(kind)
        let size = column("size", type: .integer32AttributeType, expression: NSExpression(format: "count(SELF)"))
        let decade = column(
            "decade", type: .integer32AttributeType, expression: NSExpression(format: "floor(age / 10)"))
        let byObject = try stack.context.fetch(
            values(
                "Person", properties: ["department", "department.name", size], by: ["department", "department.name"]))
        for row in byObject {
            let identifier = row["department"] as? NSManagedObjectID
            let people = try stack.context.all("Person", NSPredicate(format: "department == %@", identifier))
            #expect(row["size"] as? Int == people.count)
            let name = identifier.flatMap { stack.context.object(with: $0).value(forKey: "name") as? String }
            #expect(row["department.name"] as? String == name)
        }
        #expect(byObject.count == 5)
        let request = values("Person", properties: [decade, size], by: [decade]) {
            $0.sortDescriptors = [
                NSSortDescriptor(key: "size", ascending: false), NSSortDescriptor(key: "decade", ascending: true),
            ]
        }
        let all = try stack.context.fetch(request)
        let ages = try stack.context.all("Person").map { ($0.value(forKey: "age") as? Int).map { $0 / 10 } }
        for row in all {
            #expect(row["size"] as? Int == ages.count { $0 == row["decade"] as? Int })
        }
        #expect(all.count == Set(ages).count)
        (request.fetchLimit, request.fetchOffset) = (2, 1)
        #expect(try stack.context.fetch(request) == Array(all[1..<3]))
    }

    @Test("whole numbers and others add up together, whichever come first (FET-17)")
    func mixedNumbers() throws {
        for values in [[1, 2, 0.5], [0.5, 1, 2], [1, 0.5, 2]] as [[Any]] {
            var (sum, average) = (GroupAccumulator(.sum), GroupAccumulator(.average))
            for value in values {
                try sum.add(value)
                try average.add(value)
            }
            #expect(try sum.result() as? Double == 3.5 && average.result() as? Double == 3.5 / 3)
        }
        var large = GroupAccumulator(.sum)
        for _ in 0..<4 { try large.add(Int64.max / 4) }
        #expect(try large.result() as? Int == Int(Int64.max / 4) * 4)
        #expect(throws: ExpressionError.self) { try large.add("text") }
    }

    @Test("numbers that come again are themselves, whatever came between (FET-15)", arguments: StoreKind.all)
    func numbersThatComeAgain(kind: StoreKind) throws {
        let stack = try Stack(ValueModel.make(), kind: kind)
        let numbers = (0..<40).map { (number: Int) -> Int64 in
            let small = Int64(number % 4) * 1024 + Int64(number % 3)
            return number % 5 == 0 ? small - Int64.max / 2 : small
        }
        for (age, number) in numbers.enumerated() { stack.context.insert("Person", ["large": number, "age": age]) }
        try stack.context.save()
        let request = values("Person", properties: ["large"]) {
            $0.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
        }
        #expect(try stack.context.fetch(request).map { $0["large"] as? Int64 } == numbers)
    }
}
