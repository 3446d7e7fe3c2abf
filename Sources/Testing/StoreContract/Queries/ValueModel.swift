import CoreDataGraph
import TestBasics

/// A model of persons and departments, with an attribute of every type that fetched dictionaries can contain.
package enum ValueModel {
    /// The model.
    package static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Department", ["name": .stringAttributeType, "budget": .decimalAttributeType])
        builder.entity(
            "Person",
            [
                "name": .stringAttributeType, "sex": .stringAttributeType, "age": .integer16AttributeType,
                "large": .integer64AttributeType, "salary": .doubleAttributeType, "price": .decimalAttributeType,
                "birthDate": .dateAttributeType, "isActive": .booleanAttributeType, "token": .UUIDAttributeType,
                "link": .URIAttributeType, "photo": .binaryDataAttributeType, "nick": .stringAttributeType,
            ])
        builder.entity("Manager", in: "Person", ["level": .integer32AttributeType])
        builder.attribute("Person.nick").isTransient = true
        let transformable = NSAttributeDescription()
        transformable.name = "archived"
        transformable.attributeType = .transformableAttributeType
        transformable.isOptional = true
        builder["Person"].properties.append(transformable)
        builder["Person"].properties.append(home())
        builder.relationships("Department.people*", "Person.department")
        builder.relationships("Department.head", "Manager.heads")
        builder.relationships("Person.friends*", "Person.befriended*")
        return builder.model
    }

    private static func home() -> NSCompositeAttributeDescription {
        let home = NSCompositeAttributeDescription()
        home.name = "home"
        home.isOptional = true
        home.elements = [("city", NSAttributeType.stringAttributeType), ("number", .integer32AttributeType)].map {
            let element = NSAttributeDescription()
            (element.name, element.attributeType) = $0
            element.isOptional = true
            return element
        }
        return home
    }

    /// Creates a stack with persons whose values a seed determines; some values are nil.
    ///
    /// - Parameter url: the URL of the store; nil for a file in a temporary folder of the stack.
    package static func stack(
        _ kind: StoreKind, people: Int = 40, seed: UInt64 = 7, url: URL? = nil
    ) throws -> Stack {
        let stack = try url.map { try Stack(make(), url: $0, kind: kind) } ?? Stack(make(), kind: kind)
        try fill(stack.context, people: people, seed: seed)
        stack.context.reset()
        return stack
    }

    /// Inserts departments and persons, and saves after each.
    package static func fill(_ context: NSManagedObjectContext, people: Int, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let departments = try ["Sales", "Research", "Ärger", "sales"].enumerated().map { number, name in
            let department = context.insert(
                "Department", ["name": name, "budget": Decimal(number * 100) + Decimal(5) / 10])
            // Keys must be the same in every store, so objects are saved one by one.
            try context.save()
            return department
        }
        var all: [NSManagedObject] = []
        for number in 0..<people {
            let person = self.person(number, random: &random, context: context)
            if random.next(below: 5) > 0 {
                person.setValue(departments[random.next(below: departments.count)], forKey: "department")
            }
            for _ in 0..<random.next(below: 3) where !all.isEmpty {
                person.mutableSetValue(forKey: "friends").add(all[random.next(below: all.count)])
            }
            all.append(person)
            try context.save()
        }
    }

    /// Inserts a person with random values; every sixth is a manager.
    @discardableResult package static func person(
        _ number: Int, random: inout SeededRandom, context: NSManagedObjectContext
    ) -> NSManagedObject {
        context.insert(number % 6 == 5 ? "Manager" : "Person", values(number, &random))
    }

    private static func values(_ number: Int, _ random: inout SeededRandom) -> [String: Any?] {
        func some(_ value: Any) -> Any? { random.next(below: 8) == 0 ? nil : value }
        return [
            "name": some("Person \(random.next(below: 12))"), "sex": some(["Female", "Male"][random.next(below: 2)]),
            "age": some(random.next(below: 60) - 5), "large": some(Int64.max / 3 + Int64(random.next(below: 9))),
            "salary": some(Double(random.next(below: 900)) / 7), "price": some(Decimal(random.next(below: 90)) / 10),
            "birthDate": some(Date(timeIntervalSinceReferenceDate: Double(random.next(below: 1_000)) * 1_000.25)),
            "isActive": some(random.next(below: 2) == 1), "token": some(token(random.next(below: 5))),
            "link": some(URL(string: "https://example.org/\(random.next(below: 4))") as Any),
            "photo": some(Data([UInt8(random.next(below: 3))])), "archived": some(["a", "b"] as NSArray),
            "home": some(["city": ["Rome", "Oslo"][random.next(below: 2)], "number": random.next(below: 4)]),
        ]
    }

    private static func token(_ number: Int) -> UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number)))
    }
}

/// Makes a fetch request for dictionaries.
package func values(
    _ entity: String, properties: [Any]?, by keys: [Any]? = nil,
    change: (NSFetchRequest<NSDictionary>) -> Void = { _ in }
) -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: entity)
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = properties
    request.propertiesToGroupBy = keys
    change(request)
    return request
}

/// An expression description.
package func column(_ name: String, type: NSAttributeType, expression: NSExpression)
    -> NSExpressionDescription
{
    let description = NSExpressionDescription()
    description.name = name
    description.expression = expression
    description.expressionResultType = type
    return description
}

/// An expression description with a function over one key path.
package func column(_ name: String, type: NSAttributeType, function: String, path: String)
    -> NSExpressionDescription
{
    column(
        name, type: type, expression: NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: path)]))
}

extension NSManagedObjectContext {
    /// The values of all objects under a key, read one by one, for comparison.
    package func each<Value>(_ entity: String, key: String, as type: Value.Type, format: String? = nil) throws
        -> [Value]
    {
        try all(entity, format.map { NSPredicate(format: $0) }).compactMap { $0.value(forKeyPath: key) as? Value }
    }
}

/// An expression description whose type is the expression's own.
package func column(_ name: String, _ expression: NSExpression) -> NSExpressionDescription {
    column(name, type: .undefinedAttributeType, expression: expression)
}

/// An expression description with a function over one key path, whose type is the function's own.
package func column(_ name: String, function: String, path: String) -> NSExpressionDescription {
    column(name, type: .undefinedAttributeType, function: function, path: path)
}
