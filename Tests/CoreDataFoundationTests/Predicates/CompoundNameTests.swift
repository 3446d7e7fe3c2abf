import CoreDataFoundation
import Foundation
import Testing

/// The initializers of compounds in a source that imports Foundation too and has no alias.
struct CompoundNameTests {
    private let parts = [NSPredicate(format: "a == 1"), NSPredicate(format: "b == 2")]

    @Test("AND, OR and NOT make the library's class where Foundation's is seen too (PRD-19)")
    func namedInitializersMakeOurs() {
        let and = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
        let or: NSPredicate = NSCompoundPredicate(orPredicateWithSubpredicates: parts)
        let all = [parts].map(NSCompoundPredicate.init(andPredicateWithSubpredicates:))
        #expect(and.description == "a == 1 AND b == 2" && or.description == "a == 1 OR b == 2")
        #expect(NSCompoundPredicate(notPredicateWithSubpredicate: or).description == "NOT (a == 1 OR b == 2)")
        #expect(all[0] == and)
    }

    @Test("the initializer with a type compiles and makes a predicate that is equal and evaluates alike (PRD-19)")
    func typedInitializerCompiles() {
        let typed = NSCompoundPredicate(type: .and, subpredicates: parts)
        let nested = NSCompoundPredicate(type: NSCompoundPredicate.LogicalType.not, subpredicates: [typed])
        #expect(typed.formatString == "a == 1 AND b == 2" && nested.formatString == "NOT (a == 1 AND b == 2)")
        #expect(NSPredicate(format: "a == 1 AND b == 2") == typed)
        #expect(typed.evaluate(with: ["a": 1, "b": 2]) && !nested.evaluate(with: ["a": 1, "b": 2]))
    }
}
