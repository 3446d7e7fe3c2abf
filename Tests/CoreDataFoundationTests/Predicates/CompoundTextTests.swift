import CoreDataFoundation
import Testing

/// The class that compounds are of, in a source that imports the library alone.
struct CompoundTextTests {
    private let parts = [NSPredicate(format: "a == 1"), NSPredicate(format: "b == 2")]

    private func texts(_ predicate: NSPredicate) -> [String] {
        [predicate.description, "\(predicate)", predicate.formatString]
    }

    @Test("compounds made by their initializers have the text of what they say (PRD-19)")
    func compoundsHaveTheirText() {
        let and = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
        let or = NSCompoundPredicate(orPredicateWithSubpredicates: parts)
        let not = NSCompoundPredicate(notPredicateWithSubpredicate: or)
        #expect(texts(and) == Array(repeating: "a == 1 AND b == 2", count: 3))
        #expect(texts(or) == Array(repeating: "a == 1 OR b == 2", count: 3))
        #expect(texts(not) == Array(repeating: "NOT (a == 1 OR b == 2)", count: 3))
        #expect(
            texts(NSCompoundPredicate(type: .not, subpredicates: [and])).allSatisfy { $0 == "NOT (a == 1 AND b == 2)" })
        #expect(asText(and).predicateFormat == "a == 1 AND b == 2")
    }

    @Test("compounds made by initializers, parsed and copied are equal and hash alike, and evaluate (PRD-19)")
    func compoundsAreEqual() throws {
        let made: NSPredicate = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
        let parsed = NSPredicate(format: "a == 1 AND b == 2")
        #expect(made == parsed && parsed == made && made.hash == parsed.hash)
        #expect(made.copy() as? NSPredicate == made)
        #expect(parsed is NSCompoundPredicate && made is NSCompoundPredicate)
        #expect(made.evaluate(with: ["a": 1, "b": 2]) && !made.evaluate(with: ["a": 1, "b": 3]))
        let archived = try NSKeyedArchiver.archivedData(withRootObject: made, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSCompoundPredicate.self, from: archived) == made)
    }

    @Test("NSNull as a constant prints as Apple's does, nil as nil (PRD-27)")
    func nullIsPrinted() {
        #expect(NSPredicate(format: "a == %@", NSNull()).formatString == "a == <null>")
        #expect(NSPredicate(format: "a == %@", nil).formatString == "a == nil")
        #expect(NSPredicate(format: "a IN %@", [1, NSNull()] as [Any]).formatString == "a IN {1, nil}")
        #expect(NSExpression(forConstantValue: NSNull()).description == "<null>")
        let template = NSPredicate(format: "a == $X").withSubstitutionVariables(["X": NSNull()])
        #expect(template.formatString == "a == <null>" && template.evaluate(with: ["b": 1]))
    }

    /// Foundation deprecates the property, and warnings are counted; through a protocol it is asked without one.
    private func asText(_ predicate: NSPredicate) -> any TextOfPredicate { predicate }
}

private protocol TextOfPredicate {
    var predicateFormat: String { get }
}

extension NSPredicate: TextOfPredicate {}
