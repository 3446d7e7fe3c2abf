import CoreDataGraph
import TestBasics

extension PredicateGenerator {
    /// Makes the format and arguments of a predicate other than an operator on an attribute.
    mutating func rareForm() -> (String, [Any?]) {
        switch random.next(below: 10) {
        case 0: return entityName()
        case 1: return combined()
        case 2: return listAggregate()
        case 3: return dates()
        case 4: return cast()
        case 5: return nestedSubquery()
        case 6: return functionOverCollection()
        case 7: return twoCollections()
        case 8: return choice()
        default: return opaque()
        }
    }

    private mutating func entityName() -> (String, [Any?]) {
        let path = pick(["entity.name", "boss.entity.name", "self.entity.name"])
        let operation = pick(["==", "!=", "BEGINSWITH", "IN", "CONTAINS[c]", "<"])
        let names = ["Person", "Employee", "Manager", "er", "M", "Skill"]
        return ("\(path) \(operation) %@", [operation == "IN" ? [pick(names), pick(names)] : pick(names)])
    }

    private mutating func combined() -> (String, [Any?]) {
        let sides = ["reports", "friends"]
        let operation = pick(["UNION", "INTERSECT", "MINUS"])
        let set = "(\(pick(sides)) \(operation) \(pick(sides)))"
        return (pick(["SELF IN \(set)", "boss IN \(set)", "ANY \(set) == boss", "NOT boss.boss IN \(set)"]), [])
    }

    private mutating func listAggregate() -> (String, [Any?]) {
        let numbers = (0..<1 + random.next(below: 3)).map { _ in pick(AttributeSubject.numbers).rawValue }
        let function = pick(["sum", "max", "min", "average", "count", "median", "stddev"])
        let order = pick(["==", "!=", "<", ">="])
        return (
            "\(function)({\(numbers.joined(separator: ", "))}) \(order) %@", [value(pick(AttributeSubject.numbers))]
        )
    }

    private mutating func dates() -> (String, [Any?]) {
        let seconds = pick(AttributeSubject.numbers).rawValue
        let order = pick(["==", "!=", "<", ">="])
        return pick([
            ("born + \(seconds) \(order) seen", []), ("born - \(seconds) \(order) %@", [value(.born)]),
            ("born - seen \(order) %@", [value(.ratio)]), ("(born - seen) / 2 \(order) %@", [value(.small)]),
            ("boss.born + 0.5 \(order) %@", [value(.born)]),
        ])
    }

    private mutating func cast() -> (String, [Any?]) {
        let type = pick(AttributeSubject.allCases.filter { !$0.isOpaque && $0 != .photo })
        let order = pick(["==", "!=", "<", ">="])
        switch random.next(below: 4) {
        case 0: return ("CAST(\(type.rawValue), 'NSString') \(order) %@", [pick(Awkward.texts + ["5", "0.1", "5.0"])])
        case 1: return ("CAST(\(type.rawValue), 'NSNumber') \(order) %@", [value(pick(AttributeSubject.numbers))])
        case 2: return ("CAST(\(type.rawValue), 'NSDecimalNumber') \(order) %@", [value(.price)])
        default: return ("CAST(\(type.rawValue), 'NSDate') \(order) born", [])
        }
    }

    private mutating func nestedSubquery() -> (String, [Any?]) {
        let inner = pick(["reports", "friends"])
        let condition = pick([
            "$y.small == small", "$y.name == $x.name", "$y.medium > $x.small", "$y.boss == $x", "$y == SELF",
        ])
        return (
            "SUBQUERY(\(pick(["reports", "department.people"])), $x, "
                + "SUBQUERY($x.\(inner), $y, \(condition)).@count \(pick([">", "==", "<"])) \(random.next(below: 2)))"
                + ".@count > \(random.next(below: 3))", []
        )
    }

    private mutating func functionOverCollection() -> (String, [Any?]) {
        let function = pick(["sum", "average", "median", "stddev", "min", "max", "count"])
        let type = pick(AttributeSubject.numbers)
        let order = pick(["==", "!=", "<", ">="])
        return ("\(function)(\(pick(["reports", "friends"])).\(type.rawValue)) \(order) %@", [value(type)])
    }

    private mutating func twoCollections() -> (String, [Any?]) {
        let path = pick(["reports.friends", "department.people.reports", "reports.department.people"])
        let order = pick(["==", "!=", "<", ">="])
        guard chance(1, in: 2) else { return ("\(path).@count \(order) \(random.next(below: 6))", []) }
        let type = pick(AttributeSubject.numbers)
        return ("\(path).\(pick(["@sum", "@avg", "@min", "@max"])).\(type.rawValue) \(order) %@", [value(type)])
    }

    private mutating func choice() -> (String, [Any?]) {
        let (first, second) = (pick(AttributeSubject.numbers), pick(AttributeSubject.numbers))
        return (
            "TERNARY(flag == YES, \(first.rawValue), \(second.rawValue) + 1) \(pick(["==", "<", ">="])) %@",
            [value(first)]
        )
    }

    private mutating func opaque() -> (String, [Any?]) {
        let quantifier = pick(["ANY", "ALL", "NONE"])
        return pick([
            ("\(quantifier) reports.extra == nil", []), ("\(quantifier) reports.extra != nil", []),
            ("nil IN reports.extra", []), ("count(reports.extra) > \(random.next(below: 3))", []),
            ("home.city == %@", [value(.name)]), ("\(quantifier) reports.home.number > %@", [value(.small)]),
        ])
    }
}
