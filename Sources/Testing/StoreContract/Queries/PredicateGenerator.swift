import CoreDataGraph
import TestBasics

/// Generates random predicates on persons, and counts the combinations of operators and attribute types.
///
/// The predicates are rarely meaningful but nearly always valid: SQL cannot express about one leaf in a hundred.
@MainActor
package struct PredicateGenerator {
    /// An operator on an attribute of a type.
    package struct Cell: Hashable {
        package let operation: String
        package let type: AttributeSubject
    }

    package private(set) var counts: [Cell: Int] = [:]
    package var random: SeededRandom

    package init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    package static let orders = ["==", "!=", "<", "<=", ">", ">=", "BETWEEN", "IN"]
    package static let searches = ["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES"]

    /// All combinations of an operator with a type that it supports.
    package static let cells: [Cell] = AttributeSubject.allCases.flatMap { type in
        (type.isText ? orders + searches : type.isOpaque ? ["==", "!="] : orders).map {
            Cell(operation: $0, type: type)
        }
    }

    /// Makes a random tree of compound predicates over comparisons.
    package mutating func predicate(depth: Int = 3) throws -> NSPredicate {
        guard depth > 0, chance(2, in: 3) else { return try leaf() }
        let parts = try (0..<1 + random.next(below: 3)).map { _ in try predicate(depth: depth - 1) }
        switch random.next(below: 3) {
        case 0: return NSCompoundPredicate(andPredicateWithSubpredicates: parts)
        case 1: return NSCompoundPredicate(orPredicateWithSubpredicates: parts)
        default: return NSCompoundPredicate(notPredicateWithSubpredicate: parts[0])
        }
    }

    private mutating func leaf() throws -> NSPredicate {
        let (format, arguments) = builder()
        return try NSPredicate(parsing: format, arguments: arguments)
    }

    private mutating func builder() -> (String, [Any?]) {
        switch random.next(below: 100) {
        case 0: return ("age > 3", [])
        case 1..<10: return pick(PredicatePool.formats)
        case 10..<18: return twoAttributes()
        case 18..<24: return calculation()
        case 24..<29: return aggregate()
        case 29..<34: return subquery()
        case 34..<42: return rareForm()
        default: return comparison(prefix: pick(Self.prefixes))
        }
    }

    private static let prefixes = [
        "", "", "", "", "", "boss.", "boss.boss.", "ANY reports.", "ALL reports.", "NONE reports.", "ANY friends.",
        "ALL boss.reports.", "ANY department.people.",
        "ANY reports.reports.", "NONE department.people.friends.", "ALL reports.department.people.",
    ]

    /// An attribute with a value.
    private mutating func comparison(prefix: String) -> (String, [Any?]) {
        let cell = pick(Self.cells)
        counts[cell, default: 0] += 1
        let left = prefix + cell.type.rawValue
        let options = cell.type.isText && cell.operation != "BETWEEN" ? pick(["", "", "[c]", "[d]", "[cd]"]) : ""
        let isNot = chance(1, in: 8) && !cell.type.isOpaque ? "NOT " : ""
        return ("\(isNot)\(left) \(cell.operation)\(options) %@", [argument(cell)])
    }

    private mutating func argument(_ cell: Cell) -> Any? {
        switch cell.operation {
        case "BETWEEN": return [value(cell.type), value(cell.type)]
        case "IN": return (0..<random.next(below: 6)).map { _ in chance(1, in: 10) ? nil : value(cell.type) }
        case "LIKE": return pick(["*", "?", "a*", "*c", "a?c", "*a*", "S?les", "a\\*b", "[ab]*", "👨*", "Ä*", "*\\*"])
        case "MATCHES": return pick(["S[ao]les", "a.*", ".*", "\\w+", "[A-Z]+", "(?i)abc", "a|abc", "é", ".{3,5}"])
        case "BEGINSWITH", "ENDSWITH", "CONTAINS":
            guard cell.type != .link else { return pick(["http", "https://example.org/1", "4%C3%A4", "org", ""]) }
            return pick(Awkward.texts + ["a", "s", "S", "e", "1", "b", "le"])
        default: return chance(1, in: 10) ? nil : value(cell.type)
        }
    }

    private mutating func twoAttributes() -> (String, [Any?]) {
        let left = pick(AttributeSubject.allCases.filter { !$0.isOpaque })
        let right = chance(1, in: 6) ? pick(AttributeSubject.allCases.filter { !$0.isOpaque }) : pick(left.peers)
        let prefix = pick(["", "", "boss."])
        let operation = pick(["==", "!=", "<", "<=", ">", ">="])
        return ("\(left.rawValue) \(operation) \(prefix)\(right.rawValue)", [])
    }

    private mutating func calculation() -> (String, [Any?]) {
        let number = pick(AttributeSubject.numbers)
        let other = pick(AttributeSubject.numbers)
        let right = chance(1, in: 2) ? other.rawValue : "\(random.next(below: 7))"
        let operation = pick(["+", "-", "*", "/"])
        let order = pick(["==", "!=", "<", ">="])
        return ("\(number.rawValue) \(operation) \(right) \(order) %@", [value(pick(AttributeSubject.numbers))])
    }

    private mutating func aggregate() -> (String, [Any?]) {
        let collection = pick(["reports", "friends", "skills", "notes", "department.people"])
        let order = pick(["==", "!=", "<", ">"])
        guard collection.hasSuffix("reports") || collection.hasSuffix("people"), chance(1, in: 2) else {
            return ("\(collection).@count \(order) \(random.next(below: 5))", [])
        }
        let type = pick(AttributeSubject.numbers)
        let operation = pick(["@max", "@min", "@sum", "@avg"])
        return ("\(collection).\(operation).\(type.rawValue) \(order) %@", [value(type)])
    }

    private mutating func subquery() -> (String, [Any?]) {
        let collection = pick(["reports", "friends", "department.people"])
        let (inner, arguments) = comparison(prefix: "$each.")
        return ("SUBQUERY(\(collection), $each, \(inner)).@count > \(random.next(below: 3))", arguments)
    }
}

extension PredicateGenerator {
    package mutating func chance(_ part: Int, in whole: Int) -> Bool { random.next(below: whole) < part }

    package mutating func pick<Element>(_ all: [Element]) -> Element { all[random.next(below: all.count)] }
}
