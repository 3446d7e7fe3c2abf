import CoreData
import StoreContract
import TestBasics
import Testing

@Suite struct ValueTests {
    @Test(
        "dictionaries have the values that objects have, under the names of the properties (FET-15)",
        arguments: StoreKind.all)
    func dictionariesHaveTheObjectsValues(kind: StoreKind) throws {
        let stack = try ValueModel.stack(kind)
        let names = [
            "age", "birthDate", "isActive", "link", "name", "photo", "price", "salary", "token", "archived", "home",
        ]
        let request = values("Person", properties: names) {
            $0.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
        }
        let found = try stack.context.fetch(request)
        #expect(stack.context.registeredObjects.isEmpty)
        let objects = try stack.context.all("Person", sortedBy: "self")
        #expect(found.count == 40 && objects.count == 40)
        for (dictionary, object) in zip(found, objects) {
            for name in names {
                let (value, wanted) = (dictionary[name], object.value(forKey: name))
                #expect((value == nil) == (wanted == nil), "\(name)")
                #expect((value as? NSObject) == (wanted as? NSObject), "\(name)")
            }
            #expect(dictionary.count == names.filter { object.value(forKey: $0) != nil }.count)
        }
        #expect(found.contains { $0["birthDate"] is Date } && found.contains { $0["price"] is NSDecimalNumber })
        #expect(found.contains { $0["token"] is UUID } && found.contains { $0["link"] is URL })
        #expect(found.contains { ($0["home"] as? [String: Any])?["city"] as? String == "Rome" })
        #expect(found.contains { $0["archived"] as? [String] == ["a", "b"] })
    }

    @Test("a dictionary is Foundation's own and can be cast (FET-15)", arguments: StoreKind.all)
    func dictionariesCanBeCast(kind: StoreKind) throws {
        let stack = try ValueModel.stack(kind)
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Department")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["name", "budget"]
        request.sortDescriptors = [NSSortDescriptor(key: "budget", ascending: true)]
        let found = try stack.context.fetch(request)
        let plain = try #require(found as Any as? [[String: Any]])
        #expect(plain.map { $0["name"] as? String } == ["Sales", "Research", "Ärger", "sales"])
        #expect(plain[1]["budget"] as? NSDecimalNumber == NSDecimalNumber(string: "100.5"))
        #expect((found.first as? NSDictionary) == ["name": "Sales", "budget": NSDecimalNumber(string: "0.5")])
    }

    @Test("dictionaries of more keys than a word has bits, with gaps in all places (FET-15)", arguments: StoreKind.all)
    func manyKeys(kind: StoreKind) throws {
        let builder = ModelBuilder()
        let names = (0..<150).map { "a\($0)" }
        builder.entity("Wide")
        builder["Wide"].properties = names.map { name in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (name, .integer32AttributeType, true)
            return attribute
        }
        let stack = try Stack(builder.model, kind: kind)
        // Of row r, every r-th value is there; of row 0 none.
        for row in 0..<20 {
            let present = names.indices.filter { row > 0 && $0 % row == 0 }
            stack.context.insert(
                "Wide", Dictionary(uniqueKeysWithValues: present.map { (names[$0], row * 1_000 + $0) }))
            try stack.context.save()
        }
        stack.context.reset()
        for width in [1, 3, 63, 64, 65, 150] {
            let request = values("Wide", properties: Array(names.prefix(width))) {
                $0.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
            }
            let found = try stack.context.fetch(request)
            #expect(found.count == 20)
            for (row, dictionary) in found.enumerated() {
                let present = (0..<width).filter { row > 0 && $0 % row == 0 }
                let wanted = Dictionary(uniqueKeysWithValues: present.map { (names[$0], row * 1_000 + $0) })
                #expect(dictionary as? [String: Int] == wanted, "\(width) keys, row \(row)")
            }
        }
    }

    @Test(
        "tens of thousands of dictionaries, of which each row is in its place (FET-15)",
        arguments: StoreKind.forScaleTests)
    func manyRows(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Row", ["number": .integer64AttributeType, "half": .doubleAttributeType])
        let stack = try Stack(builder.model, kind: kind)
        let count = 20_001
        for number in 0..<count {
            stack.context.insert(
                "Row", number % 5 == 0 ? ["number": number] : ["number": number, "half": Double(number) / 2])
        }
        try stack.context.save()
        stack.context.reset()
        let request = values("Row", properties: ["number", "half"]) {
            $0.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
        }
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.context
        let found = try stack.context.fetch(request)
        let inChild = try child.performAndWait { try child.fetch(request) }
        for dictionaries in [found, inChild] {
            #expect(dictionaries.count == count)
            let wrong = dictionaries.enumerated().first { place, dictionary in
                let number = count - 1 - place
                return dictionary["number"] as? Int != number
                    || dictionary["half"] as? Double != (number % 5 == 0 ? nil : Double(number) / 2)
            }
            #expect(wrong == nil)
        }
        request.fetchLimit = 9_000
        request.fetchOffset = 9_000
        #expect(try stack.context.fetch(request).last?["number"] as? Int == count - 18_000)
    }

    @Test(
        "an error in a late row is thrown, and the next fetch is as if nothing had been (FET-15)",
        arguments: StoreKind.all)
    func lateErrors(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Row", ["number": .integer64AttributeType, "text": .stringAttributeType])
        let stack = try Stack(builder.model, kind: kind)
        for number in 0..<6_000 {
            stack.context.insert("Row", number == 5_990 ? ["number": number, "text": "late"] : ["number": number])
        }
        try stack.context.save()
        stack.context.reset()
        let upper = NSExpression(forFunction: "uppercase:", arguments: [NSExpression(forKeyPath: "text")])
        let request = values(
            "Row", properties: ["number", column("upper", type: .binaryDataAttributeType, expression: upper)]
        ) {
            $0.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        }
        expectError(134060) { try stack.context.fetch(request) }
        request.propertiesToFetch = ["number", column("upper", type: .stringAttributeType, expression: upper)]
        let found = try stack.context.fetch(request)
        #expect(found.count == 6_000 && found.contains { $0["upper"] as? String == "LATE" })
    }

    @Test("without propertiesToFetch there are all attributes and nothing else (FET-15)", arguments: StoreKind.all)
    func allAttributesWithoutSelection(kind: StoreKind) throws {
        let stack = try ValueModel.stack(kind)
        let found = try stack.context.fetch(values("Department", properties: nil))
        #expect(Set(found.flatMap { $0.allKeys.compactMap { $0 as? String } }) == ["name", "budget"])
        let people = try stack.context.fetch(values("Person", properties: nil))
        let keys = Set(people.flatMap { $0.allKeys.compactMap { $0 as? String } })
        #expect(keys.contains("archived") && keys.contains("home") && !keys.contains("nick"))
        #expect(!keys.contains("department") && !keys.contains("level"))
    }

    @Test("key paths, objects, elements of composites and expressions (FET-15)", arguments: StoreKind.all)
    func pathsAndExpressions(kind: StoreKind) throws {
        let stack = try ValueModel.stack(kind)
        let request = values(
            "Person",
            properties: [
                "name", "department.name", "department", "home.city", "department.head",
                column("me", type: .objectIDAttributeType, expression: NSExpression.expressionForEvaluatedObject()),
                column(
                    "friends", type: .integer32AttributeType, expression: NSExpression(forKeyPath: "friends.@count")),
                column(
                    "oldest", type: .integer16AttributeType, expression: NSExpression(forKeyPath: "friends.@max.age")),
                column("double", type: .doubleAttributeType, expression: NSExpression(format: "age * 2 + 0.5")),
                column("wage", type: .decimalAttributeType, expression: NSExpression(format: "price + 1")),
                column("constant", type: .stringAttributeType, expression: NSExpression(forConstantValue: "x")),
                column("born", type: .doubleAttributeType, expression: NSExpression(forKeyPath: "birthDate")),
            ]
        ) { $0.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)] }
        let found = try stack.context.fetch(request)
        #expect(stack.context.registeredObjects.isEmpty)
        for (row, object) in zip(found, try stack.context.all("Person", sortedBy: "self")) {
            #expect(row["me"] as? NSManagedObjectID == object.objectID)
            let department = object.value(forKey: "department") as? NSManagedObject
            #expect(row["department"] as? NSManagedObjectID == department?.objectID)
            #expect(row["department.name"] as? String == department?.value(forKey: "name") as? String)
            let head = department?.value(forKey: "head") as? NSManagedObject
            #expect(row["department.head"] as? NSManagedObjectID == head?.objectID)
            #expect(row["home.city"] as? String == (object.value(forKey: "home") as? [String: Any])?["city"] as? String)
            let friends = object.value(forKey: "friends") as? Set<NSManagedObject> ?? []
            #expect(row["friends"] as? Int == friends.count)
            #expect(row["oldest"] as? Int == friends.compactMap { $0.value(forKey: "age") as? Int }.max())
            #expect(row["double"] as? Double == (object.value(forKey: "age") as? Int).map { Double($0) * 2 + 0.5 })
            let price = object.value(forKey: "price") as? NSDecimalNumber
            #expect(row["wage"] as? NSDecimalNumber == price.map { $0.adding(1) })
            #expect(row["constant"] as? String == "x")
            #expect(
                row["born"] as? Double == (object.value(forKey: "birthDate") as? Date)?.timeIntervalSinceReferenceDate)
        }
        #expect(found.count == 40)
    }

    @Test("distinct rows, order, limit and offset, sub-entities (FET-15)", arguments: StoreKind.all)
    func distinctOrderedPages(kind: StoreKind) throws {
        let stack = try ValueModel.stack(kind)
        let names = Set(try stack.context.each("Person", key: "name", as: String.self)).sorted()
        let distinct = values("Person", properties: ["name"]) {
            $0.returnsDistinctResults = true
            $0.predicate = NSPredicate(format: "name != nil")
            $0.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
        }
        #expect(try stack.context.fetch(distinct).map { $0["name"] as? String } == names.reversed())
        #expect(try stack.context.count(for: distinct) == names.count)
        (distinct.fetchLimit, distinct.fetchOffset) = (3, 2)
        #expect(try stack.context.fetch(distinct).map { $0["name"] as? String } == Array(names.reversed()[2..<5]))
        let sum = column("twice", type: .integer32AttributeType, expression: NSExpression(format: "age * 2"))
        let sorted = values("Person", properties: [sum]) {
            $0.sortDescriptors = [NSSortDescriptor(key: "twice", ascending: true)]
            $0.predicate = NSPredicate(format: "age != nil")
        }
        let ages = try stack.context.each("Person", key: "age", as: Int.self).sorted()
        #expect(try stack.context.fetch(sorted).map { $0["twice"] as? Int } == ages.map { $0 * 2 })
        #expect(
            try stack.context.fetch(values("Person", properties: ["name"]) { $0.includesSubentities = false }).count
                == 34)
        #expect(try stack.context.fetch(values("Manager", properties: ["level"])).count == 6)
    }

    @Test("dictionaries are what the store has, in a child too (FET-15)", arguments: StoreKind.all)
    func pendingChangesDoNotShow(kind: StoreKind) throws {
        let stack = try ValueModel.stack(kind)
        let context = stack.context
        let department = try #require(try context.all("Department", sortedBy: "budget").first)
        department.setValue("Changed", forKey: "name")
        context.insert("Department", ["name": "New"])
        let request = values("Department", properties: ["name"])
        func names(_ context: NSManagedObjectContext) throws -> Set<String> {
            try context.performAndWait { Set(try context.fetch(request).compactMap { $0["name"] as? String }) }
        }
        #expect(try names(context) == ["Sales", "Research", "Ärger", "sales"])
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        #expect(try names(child) == ["Sales", "Research", "Ärger", "sales"])
        try context.save()
        #expect(try names(child) == ["Changed", "New", "Research", "Ärger", "sales"])
    }

    @Test("10,000 rows are aggregated without an object, by one statement (FET-18)")
    func aggregatesLoadNothing() throws {
        let stack = try Stack(ValueModel.make(), kind: .sqlite)
        for number in 0..<10_000 { stack.context.insert("Person", ["age": number % 100, "salary": Double(number)]) }
        try stack.context.save()
        stack.context.reset()
        let request = values(
            "Person",
            properties: [
                column("sum", type: .integer64AttributeType, function: "sum:", path: "age"),
                column("mean", type: .doubleAttributeType, function: "average:", path: "salary"),
                column("middle", type: .doubleAttributeType, function: "median:", path: "salary"),
                column("n", type: .integer64AttributeType, function: "count:", path: "age"),
            ])
        let row = try #require(try stack.context.fetch(request).first)
        #expect(row["sum"] as? Int == 495_000 && row["n"] as? Int == 10_000)
        #expect(row["mean"] as? Double == 4999.5 && row["middle"] as? Double == 4999.5)
        #expect(stack.context.registeredObjects.isEmpty)
        #expect(stack.store.rowCache.count == 0)
    }
}
