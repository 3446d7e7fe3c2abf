import CoreDataFoundation
import Testing

struct ConstantPredicateTests {
    @Test("constants equal themselves only and hash alike (PRD-01)")
    func constantsEqualThemselvesOnly() throws {
        let never = try NSPredicate(parsing: "FALSEPREDICATE")
        let again = try NSPredicate(parsing: "falsepredicate")
        let always = try NSPredicate(parsing: "TRUEPREDICATE")
        let comparison = try NSPredicate(parsing: "a == 1")
        #expect(never == again && never.hash == again.hash)
        #expect(never != always && never != comparison && comparison != never)
        #expect((never.copy() as? NSPredicate)?.hash == never.hash)
        #expect(!never.evaluate(with: nil) && always.evaluate(with: nil))
        #expect(always == NSPredicate(value: true) && always != NSPredicate(value: false))
    }
}
