import CoreDataGraph
import Testing

@testable import CoreDataMigrationChecks

@Suite struct SampleConditionTests {
    @Test("simple conditions are read as bounds, of whole numbers beyond limits that are not allowed")
    func simpleConditionsAreReadAsBounds() {
        #expect(SampleCondition("SELF >= 1") == .least(1))
        #expect(SampleCondition("SELF > 1") == .least(2))
        #expect(SampleCondition("SELF < 9.5") == .greatest(9.5.nextDown))
        #expect(SampleCondition("length >= 5") == .shortest(5))
        #expect(SampleCondition("length < 20") == .longest(19))
        #expect(SampleCondition(#"SELF MATCHES "[A-Z]\\d+""#) == .pattern(#"[A-Z]\d+"#))
    }

    @Test("other conditions, and numbers without an end, set no bound")
    func otherConditionsSetNoBound() {
        for format in [
            "SELF != 3", "name.length > 3", "SELF > nan", "SELF >= inf", "SELF > 1e300", "SELF MATCHES \"", "",
        ] {
            #expect(SampleCondition(format) == nil, "\(format)")
        }
    }

    @Test("values of attributes with predicates set in code satisfy them, for every number")
    func valuesSatisfyPredicatesOfCode() {
        let rank = NSAttributeDescription()
        (rank.name, rank.attributeType) = ("rank", .integer16AttributeType)
        rank.setValidationPredicates(
            [NSPredicate(format: "SELF >= 1"), NSPredicate(format: "SELF <= 9")], withValidationWarnings: ["", ""])
        let code = NSAttributeDescription()
        (code.name, code.attributeType) = ("code", .stringAttributeType)
        code.setValidationPredicates(
            [NSPredicate(format: "SELF MATCHES %@", "[A-Z]{2}\\d{3}")], withValidationWarnings: [""])
        let expression = NSPredicate(format: "SELF MATCHES %@", "[A-Z]{2}\\d{3}")
        for number in [0, 1, 9, 10, 1_000, 1_000_000] {
            #expect((1...9).contains(SampleAttribute.value(of: rank, number: number) as? Int ?? 0))
            #expect(expression.evaluate(with: SampleAttribute.value(of: code, number: number)))
        }
    }
}
