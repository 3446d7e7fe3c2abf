import CoreDataFoundation
import TestBasics
import Testing

struct PredicateArchivingTests {
    /// A predicate through an archive, and the names of the classes in it.
    private func archived(_ predicate: NSPredicate) throws -> (copy: NSPredicate, classes: Set<String>) {
        let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
        let copy = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data))
        return (copy, try proveAcyclicArchive(data))
    }

    static let formats = [
        "TRUEPREDICATE", "FALSEPREDICATE", "name == nil", "name != $NAME", "rank > 3 AND rank <= 4.5 AND rank != -1",
        "NOT (rank < 1 OR rank >= 9)", "name MATCHES[cd] \".*x\"", "name LIKE[n] \"?a*\"", "name BEGINSWITH[c] $START",
        "name ENDSWITH \"z\"", "name CONTAINS[cd] \"é\"", "rank IN {1, $TWO, 3}", "rank BETWEEN {$LOW, 10}",
        "ALL powers.strength > 1", "ANY powers.name == \"fly\"", "NONE powers.name == \"fly\"",
        "SUBQUERY(powers, $p, $p.strength > $LEAST AND $p.name != nil).@count > 1", "powers.@count == 0",
        "uppercase:(name) == \"X\"", "rank + 1 == 2 * rank ** 2", "birthday < CAST(12.5, \"NSDate\")", "isOpen == TRUE",
        "TERNARY(rank > 2, name, $OTHER) == \"a\"", "a UNION b == c INTERSECT (d MINUS e)", "names[FIRST] == names[2]",
        "names[SIZE] == 3 OR names[LAST] == \"z\"", "ANYKEY == 1", "($x := rank + 1) > 2",
        "FETCH($request, $context, YES) == 3",
        "SELF == $FETCH_SOURCE.owner.name", "#size == 1",
    ]

    @Test("a predicate is the same after keyed archiving (PRD-32)", arguments: formats)
    func predicatesAreKept(format: String) throws {
        let predicate = try NSPredicate(parsing: format)
        let (copy, classes) = try archived(predicate)
        #expect(copy.formatString == predicate.formatString)
        #expect(copy == predicate)
        #expect(copy.variableNames == predicate.variableNames)
        #expect(classes.allSatisfy { $0.hasPrefix("NS") })
    }

    @Test("every predicate of the pool is the same after keyed archiving (PRD-32)")
    @MainActor func poolIsKept() throws {
        for (format, arguments) in PredicatePool.formats {
            let predicate = try NSPredicate(parsing: format, arguments: arguments)
            let copy = try archived(predicate).copy
            // The text of a dictionary is its Swift type, which an archive does not keep.
            guard !predicate.formatString.contains("<Dictionary") else { continue }
            #expect(copy.formatString == predicate.formatString)
        }
        #expect(PredicatePool.formats.count > 200)
    }

    @Test("an archived predicate with variables works after they are given values (PRD-32)")
    func variablesSurvive() throws {
        let predicate = NSPredicate(format: "name BEGINSWITH[cd] $START AND age > $AGE")
        let copy = try archived(predicate).copy
        #expect(copy.evaluate(with: ["name": "Ärger", "age": 5], substitutionVariables: ["START": "ar", "AGE": 4]))
        let filled = copy.withSubstitutionVariables(["START": "x", "AGE": 4])
        #expect(!filled.evaluate(with: ["name": "Ärger", "age": 5]))
        copy.allowEvaluation()
    }

    @Test("the classes and keys are those of Apple's archives (PRD-32)")
    func namesAreApples() throws {
        let predicate = NSPredicate(
            format: "name LIKE \"a*\" AND NOT (rank IN {1, 2} OR sum:(x) == 3) AND a.b >= 1 AND c BETWEEN {1, 2}"
                + " AND d CONTAINS $e AND f ENDSWITH \"g\" AND h MATCHES \"i\"")
        #expect(
            try archived(predicate).classes == [
                "NSCompoundPredicate", "NSComparisonPredicate", "NSLikePredicateOperator", "NSInPredicateOperator",
                "NSEqualityPredicateOperator", "NSComparisonPredicateOperator", "NSBetweenPredicateOperator",
                "NSSubstringPredicateOperator", "NSMatchingPredicateOperator", "NSKeyPathExpression",
                "NSKeyPathSpecifierExpression", "NSSelfExpression", "NSConstantValueExpression",
                "NSAggregateExpression", "NSFunctionExpression", "NSVariableExpression", "NSArray", "NSMutableArray",
            ])
        #expect(try archived(NSPredicate(value: true)).classes == ["NSTruePredicate"])
        let compound = NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate(value: false))
        #expect(try archived(compound).classes == ["NSCompoundPredicate", "NSFalsePredicate", "NSArray"])
        #expect(try archived(compound).copy == compound)
    }

    @Test("constants of Foundation's plain values are kept (PRD-32)")
    func constantsAreKept() throws {
        let values: [Any] = [
            "text", "$null", "", 7, Int64.min, UInt64.max, 0.1, Double.infinity, true,
            Date(timeIntervalSince1970: 0.25),
            Data([0, 255]), UUID(), URL(string: "https://example.org/a?b=c") ?? URL(fileURLWithPath: "/"),
            Decimal(string: "0.30000000000000000001") ?? 0, NSNull(), ["a", "b"], [1, [2, 3]], Set(["x"]),
        ]
        for value in values {
            let predicate = NSPredicate(format: "v == %@", argumentArray: [value])
            let copy = try #require(try archived(predicate).copy as? NSComparisonPredicate)
            #expect(ValueOrder.areEqual(copy.rightExpression.constantValue, value), "\(value)")
        }
        let dictionary = try #require(
            try archived(NSPredicate(format: "v == %@", ["k": 1])).copy as? NSComparisonPredicate)
        #expect(dictionary.rightExpression.constantValue as? [String: Int] == ["k": 1])
        expectError(4866) { try archived(NSPredicate(format: "v == %@", Sample([:]))) }
    }

    @Test("what is written in Swift is refused with a reason (PRD-32)")
    func blocksAreRefused() throws {
        let block = NSPredicate(block: { _, _ in true })
        let expression = NSExpression(block: { _, _, _ in 1 }, arguments: nil)
        let comparison = NSComparisonPredicate(
            leftExpression: expression, rightExpression: NSExpression(forConstantValue: 1), modifier: .direct,
            type: .equalTo)
        let comparator = NSSortDescriptor(key: "a", ascending: true) { _, _ in .orderedSame }
        func reason(_ body: () throws -> Data) -> String? {
            let error = #expect(throws: NSError.self) { _ = try body() }
            #expect(error?.domain == NSCocoaErrorDomain)
            return error?.localizedFailureReason
        }
        func data<Part: NSObject & NamedArchiving>(_ part: Part) throws -> Data {
            try NSKeyedArchiver.archivedData(withRootObject: part, requiringSecureCoding: true)
        }
        #expect(reason { try data(block) }?.contains("a block in Swift") == true)
        #expect(reason { try data(NSCompoundPredicate(andPredicateWithSubpredicates: [block, block])) } != nil)
        #expect(reason { try data(comparison) }?.contains("a block in Swift") == true)
        #expect(reason { try data(comparator) }?.contains("a comparator in Swift") == true)
        #expect(
            reason { try data(NSSortDescriptor(keyPath: \Sample.size, ascending: true)) }?.contains("key path") == true)
    }

    @Test("expressions and sort descriptors alone, and lists (PRD-32)")
    func otherParts() throws {
        let expression = NSExpression(format: "average:(items.price) * $RATE")
        let data = try NSKeyedArchiver.archivedData(withRootObject: expression, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSExpression.self, from: data) == expression)
        expectError(4864) { try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data) }
        let order = [
            NSSortDescriptor(key: "age", ascending: false),
            NSSortDescriptor(key: "p.name", ascending: true, selector: "localizedStandardCompare:"),
        ]
        let list = try NSKeyedArchiver.archivedData(withRootObject: order, requiringSecureCoding: true)
        #expect(try proveAcyclicArchive(list) == ["NSArray", "NSSortDescriptor"])
        #expect(try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: NSSortDescriptor.self, from: list) == order)
        let one = try NSKeyedArchiver.archivedData(withRootObject: order[1], requiringSecureCoding: true)
        let copy = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSSortDescriptor.self, from: one)
        #expect(copy == order[1] && copy?.selector == "localizedStandardCompare:")
        expectError(4864) {
            let true0 = NSPredicate(value: true)
            let data = try NSKeyedArchiver.archivedData(withRootObject: true0, requiringSecureCoding: true)
            _ = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSComparisonPredicate.self, from: data)
        }
    }

    @Test("a predicate within an object of the application's own (PRD-32)")
    func partsOfOtherObjects() throws {
        let predicate = NSPredicate(format: "name == $NAME AND age > 3")
        let order = NSSortDescriptor(key: "name", ascending: false)
        let search = SavedSearch(predicate: predicate, order: order, column: NSExpression(format: "a + 1"))
        let data = try NSKeyedArchiver.archivedData(withRootObject: search, requiringSecureCoding: true)
        let copy = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: SavedSearch.self, from: data))
        #expect(copy.predicate == predicate && copy.order == order && copy.column == search.column)
        let constant = SavedSearch(predicate: NSPredicate(value: true), order: order, column: search.column)
        let other = try NSKeyedArchiver.archivedData(withRootObject: constant, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: SavedSearch.self, from: other)
        #expect(read?.predicate?.evaluate(with: nil) == true)
        // What is archived as a value of any type takes the other way into the archive and the same way out.
        let value: Any = predicate
        let untyped = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: untyped) == predicate)
    }
}

/// A class of an application, with parts of each kind.
final class SavedSearch: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let predicate: NSPredicate?
    let order: NSSortDescriptor?
    let column: NSExpression?

    init(predicate: NSPredicate, order: NSSortDescriptor, column: NSExpression?) {
        self.predicate = predicate
        self.order = order
        self.column = column
    }

    init?(coder: NSCoder) {
        predicate = coder.decodeObject(of: NSPredicate.self, forKey: "predicate")
        order = coder.decodeObject(of: NSSortDescriptor.self, forKey: "order")
        column = coder.decodeObject(of: NSExpression.self, forKey: "column")
    }

    func encode(with coder: NSCoder) {
        coder.encode(predicate, forKey: "predicate")
        coder.encode(order, forKey: "order")
        coder.encode(column, forKey: "column")
    }
}
