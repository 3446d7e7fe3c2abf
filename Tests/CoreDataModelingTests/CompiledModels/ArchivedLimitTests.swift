import CoreDataModeling
import Testing

/// Limits that compiled models state as predicates on numbers.
@Suite struct ArchivedLimitTests {
    private static func read(_ rules: [ValidationRule], _ type: NSAttributeType) throws -> NSAttributeDescription? {
        let number = NSAttributeDescription()
        number.name = "number"
        number.attributeType = type
        number.validationRules = rules
        let entity = NSEntityDescription()
        entity.name = "Counter"
        entity.properties = [number]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let read = try NSManagedObjectModel(compiled: model.compiledData())
        return read.entitiesByName["Counter"]?.attributesByName["number"]
    }

    @Test(
        "large integer limits of a compiled model are read to the last digit (MOD-04)",
        arguments: [
            "9007199254740993", "-9007199254740993", "9223372036854775807", "-9223372036854775808",
            "18446744073709551615",
        ])
    func largeIntegerIsExact(text: String) throws {
        let limit = try #require(Decimal(string: text))
        let rules = [ValidationRule(.minimum(limit)), ValidationRule(.maximum(limit))]
        #expect(try Self.read(rules, .integer64AttributeType)?.validationRules == rules)
    }

    @Test("limits with fractions are read as the decimals that their author wrote (MOD-04)")
    func fractionIsTheAuthors() throws {
        let rules = [ValidationRule(.minimum(Decimal(string: "0.1") ?? 0)), ValidationRule(.maximum(123_456.789))]
        #expect(try Self.read(rules, .doubleAttributeType)?.validationRules.first == rules.first)
    }
}
