import CoreDataModeling
import Testing

@testable import CoreDataGraph

/// Values of an attribute's own type are taken as they are; all others, and those out of range, go through conversions.
@Suite struct PlainValueTests {
    private func accepted(_ value: Any?, _ type: NSAttributeType) throws -> String {
        let attribute = NSAttributeDescription()
        attribute.name = "value"
        attribute.attributeType = type
        return switch try SlotCoding.accept(value, for: attribute, AttributeKind(attribute)) {
        case .null: "null"
        case .integer(let integer): "\(integer)"
        case .real(let real): "\(real)"
        case .reference(let reference): "'\(reference)'"
        }
    }

    @Test("numbers, texts, truth values and dates have one form, whatever type brings them")
    func numbersTextsTruthValuesAndDatesHaveOneForm() throws {
        for type in [NSAttributeType.integer16AttributeType, .integer32AttributeType, .integer64AttributeType] {
            for value in [7, Int64(7), Int32(7), Int16(7), UInt8(7), 7.9, Float(7), NSNumber(value: 7)] as [Any] {
                #expect(try accepted(value, type) == "7", "\(type) \(Swift.type(of: value))")
            }
            #expect(try accepted(true, type) == "1")
        }
        for value in [1.5, Float(1.5), NSNumber(value: 1.5)] as [Any] {
            #expect(try accepted(value, .doubleAttributeType) == "1.5")
        }
        #expect(try accepted(3, .doubleAttributeType) == "3.0")
        for value in [true, 1, NSNumber(value: true), 2.0] as [Any] {
            #expect(try accepted(value, .booleanAttributeType) == "1")
        }
        #expect(try accepted("text", .stringAttributeType) == "'text'")
        #expect(try accepted(NSString("text"), .stringAttributeType) == "'text'")
        let date = Date(timeIntervalSinceReferenceDate: 12.5)
        #expect(try accepted(date, .dateAttributeType) == "12.5")
        #expect(try accepted(NSDate(timeIntervalSinceReferenceDate: 12.5), .dateAttributeType) == "12.5")
    }

    @Test("nil and NSNull are stored as null, values out of range and of other types are refused")
    func nilAndNSNullAreStoredAsNull() throws {
        for type in [NSAttributeType.integer16AttributeType, .stringAttributeType, .dateAttributeType] {
            #expect(try accepted(nil, type) == "null" && accepted(NSNull(), type) == "null")
        }
        #expect(throws: ValueRejection.self) { try accepted(40_000, .integer16AttributeType) }
        #expect(throws: ValueRejection.self) { try accepted(Int64(1) << 40, .integer32AttributeType) }
        #expect(throws: ValueRejection.self) { try accepted("7", .integer64AttributeType) }
        #expect(throws: ValueRejection.self) { try accepted(7, .stringAttributeType) }
        #expect(throws: ValueRejection.self) { try accepted(7, .dateAttributeType) }
        for value in [Double.infinity, -.infinity] {
            #expect(throws: ValueRejection.self) { try accepted(value, .decimalAttributeType) }
        }
        #expect(try accepted(1e20, .decimalAttributeType) == "'100000000000000000000'")
    }

    @Test("limits hold for numbers that no decimal can hold (VAL-07)")
    func limitsOfInfinity() {
        let greatest = ValueLimit(ValidationRule(.maximum(10)), .decimal)
        let least = ValueLimit(ValidationRule(.minimum(10)), .decimal)
        let (infinite, negative) = (NSNumber(value: Double.infinity), NSNumber(value: -Double.infinity))
        #expect(!greatest.allows(infinite) && greatest.allows(negative))
        #expect(least.allows(infinite) && !least.allows(negative))
        #expect(greatest.allows(NSDecimalNumber(value: 10)) && !greatest.allows(NSDecimalNumber(string: "10.5")))
    }
}
