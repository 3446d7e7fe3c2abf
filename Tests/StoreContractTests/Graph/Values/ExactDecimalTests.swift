import CoreData
import StoreContract
import TestBasics
import Testing

/// Large integers where decimals are expected: Foundation's `decimalValue` takes them through binary fractions here.
@Suite("Large integers as decimals")
struct ExactDecimalTests {
    private static let large: Int64 = 9_007_199_254_740_993

    @Test("a decimal attribute takes a large integer to the last digit (MOD-15)")
    func decimalAttributeTakesLargeIntegers() throws {
        let builder = ModelBuilder()
        builder.entity("Item", ["price": .decimalAttributeType])
        let item = try Stack(builder.model, kind: .inMemory).context.insert("Item")
        item.setValue(NSNumber(value: Self.large), forKey: "price")
        #expect((item.value(forKey: "price") as? NSDecimalNumber)?.stringValue == "\(Self.large)")
    }

    @Test("a limit of a large integer distinguishes neighbours, also for decimals (VAL-07)")
    func limitDistinguishesNeighbours() throws {
        let builder = ModelBuilder()
        builder.entity("Item", ["price": .decimalAttributeType])
        builder.attribute("Item.price").validationRules = [ValidationRule(.maximum(Decimal(Self.large)))]
        let stack = try Stack(builder.model, kind: .inMemory)
        let item = stack.context.insert("Item", ["price": NSDecimalNumber(value: Self.large)])
        try stack.context.save()
        item.setValue(NSDecimalNumber(value: Self.large + 1), forKey: "price")
        expectError(NSValidationNumberTooLargeError) { try stack.context.save() }
    }
}
