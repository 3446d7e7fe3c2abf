import CoreDataGraph
import TestBasics

/// Makes random fetch requests for dictionaries, most of them meaningful.
package struct ValueRequestMaker {
    private var random: SeededRandom

    package init(random: SeededRandom) { self.random = random }

    private static let paths = [
        "name", "sex", "age", "large", "salary", "price", "birthDate", "isActive", "token", "link", "photo",
        "department",
        "department.name", "department.budget", "department.head", "department.head.level", "home.city", "home.number",
        "entity.name",
    ]
    private static let wholes = ["home", "archived"]
    private static let numbers = [
        "age", "large", "salary", "price", "birthDate", "department.budget", "home.number", "isActive",
    ]
    private static let functions = ["sum:", "average:", "min:", "max:", "count:", "median:", "mode:", "stddev:"]
    private static let formats = [
        "age + 1", "age * 2 - large", "salary / 3", "price + 0.1", "friends.@count", "friends.@max.age",
        "friends.@sum.salary",
        "uppercase(name)", "name.length", "birthDate + 60", "dayOfDate(birthDate)",
        "TERNARY(sex == 'Male', age, 0 - age)",
        "SUBQUERY(friends, $f, $f.age > 20).@count", "average({age, large})", "SELF", "count(friends)",
    ]
    private static let aggregates = [
        "max(age) - min(age)", "count(SELF)", "sum(age) / count(age)", "max(friends.@count)", "@sum.age + 1", "@count",
        "average(age * 2)", "mode(name)", "max(name)", "min(token)", "max(uppercase(name))", "sum(price * 2)",
        "sqrt(stddev(salary))", "median(birthDate)", "max(birthDate) - min(birthDate)",
    ]
    private static let predicates = [
        "age > 20", "sex == 'Male'", "department.name BEGINSWITH[c] 's'", "ANY friends.age > 30",
        "salary < 60 OR price > 3",
        "name != nil", "FALSEPREDICATE", "home.city == 'Rome'",
    ]
    private static let conditions = [
        "n > 3", "count(age) BETWEEN {2, 9}", "$n < 20", "max(age) > 40 AND n > 1", "NOT average(salary) > 60",
        "sum(price) > 20",
    ]

    private mutating func one<Element>(_ list: [Element]) -> Element { list[random.next(below: list.count)] }

    private mutating func some(_ list: [String], _ most: Int) -> [String] {
        Array(Set((0...random.next(below: most)).map { _ in one(list) })).sorted()
    }

    /// The next request.
    package mutating func request() -> NSFetchRequest<NSDictionary> {
        let request = random.next(below: 5) < 2 ? plain() : grouped()
        if random.next(below: 2) == 0 { request.predicate = NSPredicate(format: one(Self.predicates)) }
        if random.next(below: 3) == 0 { request.fetchLimit = 1 + random.next(below: 7) }
        if random.next(below: 4) == 0 { request.fetchOffset = random.next(below: 6) }
        request.includesSubentities = random.next(below: 5) > 0
        return request
    }

    private mutating func plain() -> NSFetchRequest<NSDictionary> {
        // Distinct requests leave out these attributes: stores may store equal archives and composites as different
        // bytes.
        let isDistinct = random.next(below: 3) == 0
        var properties: [Any] = some(isDistinct ? Self.paths : Self.paths + Self.wholes, 4)
        if random.next(below: 2) == 0 {
            properties.append(column("calculated", NSExpression(format: one(Self.formats))))
        }
        let request = values(random.next(below: 6) == 0 ? "Manager" : "Person", properties: properties)
        request.returnsDistinctResults = isDistinct
        let keys =
            request.returnsDistinctResults
            ? properties.compactMap { $0 as? String } : Self.paths + ["calculated", "self"]
        request.sortDescriptors = order(keys)
        return request
    }

    private mutating func grouped() -> NSFetchRequest<NSDictionary> {
        let keys = random.next(below: 4) == 0 ? [] : some(Self.paths, 2)
        var properties: [Any] = keys
        if random.next(below: 4) == 0 {
            properties.append(
                column("day", type: .integer64AttributeType, expression: NSExpression(format: "dayOfDate(birthDate)")))
        }
        let groups = properties
        properties.append(column("n", NSExpression(format: "count(SELF)")))
        for number in 0...random.next(below: 3) {
            let expression =
                random.next(below: 2) == 0
                ? NSExpression(format: one(Self.aggregates))
                : NSExpression(
                    forFunction: one(Self.functions), arguments: [NSExpression(forKeyPath: one(Self.numbers))])
            properties.append(
                column(
                    "x\(number)", type: one([.undefinedAttributeType, .undefinedAttributeType, .doubleAttributeType]),
                    expression: expression))
        }
        let request = values("Person", properties: properties, by: groups)
        if !groups.isEmpty, random.next(below: 3) == 0 {
            request.havingPredicate = NSPredicate(format: one(Self.conditions))
        }
        request.sortDescriptors = order(keys + ["n", "x0"])
        return request
    }

    private mutating func order(_ keys: [String]) -> [NSSortDescriptor] {
        guard !keys.isEmpty else { return [] }
        return (0..<random.next(below: 3)).map { _ in
            NSSortDescriptor(key: one(keys), ascending: random.next(below: 2) == 0)
        }
    }

    /// A description of a request for test output.
    package static func text(_ request: NSFetchRequest<NSDictionary>) -> String {
        let properties = (request.propertiesToFetch ?? []).map { item in
            (item as? NSExpressionDescription).map { "\($0.name): \($0.expression?.description ?? "")" } ?? "\(item)"
        }
        return "\(request.entityName ?? "") \(properties) by \(request.propertiesToGroupBy ?? []) where "
            + "\(String(describing: request.predicate)) having \(String(describing: request.havingPredicate)) sorted "
            + "\((request.sortDescriptors ?? []).map { "\($0.key ?? "") \($0.ascending)" }) \(request.fetchLimit) "
            + "\(request.fetchOffset) distinct \(request.returnsDistinctResults)"
    }
}
