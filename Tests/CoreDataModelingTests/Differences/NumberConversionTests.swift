import CoreDataFoundation
import Testing

@testable import CoreDataModeling

/// Which numbers fit which type, and what inference says of the change.
@Suite struct NumberConversionTests {
    private static let types: [(type: NSAttributeType, name: String)] = [
        (.integer16AttributeType, "Integer 16"), (.integer32AttributeType, "Integer 32"),
        (.integer64AttributeType, "Integer 64"), (.floatAttributeType, "Float"), (.doubleAttributeType, "Double"),
        (.decimalAttributeType, "Decimal"), (.booleanAttributeType, "Boolean"),
    ]

    private static func source(_ type: String) -> String {
        #"<entity name="A"><attribute name="x" optional="YES" attributeType="\#(type)"/></entity>"#
    }

    private func analysis(_ old: String, _ new: String) throws -> MigrationAnalysis {
        MigrationAnalysis(
            from: try SourceText.read(Self.source(old)), to: try SourceText.read(Self.source(new)))
    }

    @Test("every pair of numbers but those to Boolean is inferred; what may not fit is a remark (MIG-10)")
    func pairsAreInferred() throws {
        for (old, oldName) in Self.types {
            for (new, newName) in Self.types where old != new {
                let analysis = try analysis(oldName, newName)
                let conversion = NumberConversion(from: old, to: new)
                #expect((conversion == nil) == (newName == "Boolean"), "\(oldName) to \(newName)")
                #expect(analysis.verdict == (newName == "Boolean" ? .mappingModel : .lightweight))
                guard let conversion else { continue }
                let reason =
                    "its type was \(oldName) and is \(newName): a store with a value that does not fit cannot be migrated"
                #expect(analysis.remarks.map(\.reason) == (conversion.mayRefuse ? [reason] : []))
            }
            for other in ["String", "Date"] {
                #expect(try analysis(oldName, other).verdict == .mappingModel)
                #expect(try analysis(other, oldName).verdict == .mappingModel)
            }
        }
    }

    @Test("that digits are rounded away is a loss, which names no renaming (MIG-22)")
    func roundingIsALoss() throws {
        let losses = try analysis("Double", "Float").losses
        #expect(losses.map(\.item.path) == ["A.x"])
        #expect(losses.map(\.reason) == ["its values are rounded to the digits that Float has"])
        #expect(losses.map(\.isRounding) == [true] && losses.map(\.hint) == [nil])
        #expect(try analysis("Float", "Double").losses == [])
        #expect(try analysis("Decimal", "Double").losses == [])
    }

    @Test("A pair that refuses nothing has room for the least and the greatest number")
    func widestNumbers() throws {
        for (old, _) in Self.types {
            for (new, _) in Self.types {
                guard let conversion = NumberConversion(from: old, to: new), !conversion.mayRefuse,
                    let range = NumberConversion.range(of: old)
                else { continue }
                for limit in [range.lowerBound, range.upperBound] {
                    let found = try #require(conversion.exact(.integer(limit)))
                    #expect(found.order(to: .integer(limit)) == .orderedSame)
                }
            }
        }
    }

    @Test("NaN and infinity are not converted to other types; Float to Double alone keeps them")
    func numbersThatAreNotFinite() {
        for (old, _) in Self.types {
            for (new, _) in Self.types {
                guard let conversion = NumberConversion(from: old, to: new), old != .booleanAttributeType else {
                    continue
                }
                #expect(conversion.exact(.decimal(.nan)) == nil || new == .decimalAttributeType)
                let keeps = new == .doubleAttributeType
                #expect((conversion.converted(Double.infinity) == nil) == !keeps)
                #expect(conversion.converted("12") == nil)
            }
        }
    }

    @Test("Between Decimal and binary fractions the shortest decimal counts, whole numbers by their value")
    func betweenDecimalAndBinaryFractionsShortestDecimalCounts() throws {
        let double = try #require(NumberConversion(from: .decimalAttributeType, to: .doubleAttributeType))
        let long = NSDecimalNumber(string: "0.12345678901234567890")
        #expect(double.converted(long) == nil)
        #expect(double.converted(NSDecimalNumber(string: "1e-100")) == 1e-100)
        #expect(double.converted(NSDecimalNumber(string: "1152921504606846977")) == nil)
        let decimal = try #require(NumberConversion(from: .doubleAttributeType, to: .decimalAttributeType))
        #expect((decimal.converted(0.1 + 0.2) as? NSDecimalNumber)?.stringValue == "0.30000000000000004")
        let float = try #require(NumberConversion(from: .floatAttributeType, to: .decimalAttributeType))
        #expect((float.converted(Double(Float(0.1))) as? NSDecimalNumber)?.stringValue == "0.1")
        #expect(float.converted(Double.nan) == nil)
    }

    @Test("A truth value of a foreign writer that is neither 0 nor 1 becomes 1")
    func foreignTruth() throws {
        let conversion = try #require(NumberConversion(from: .booleanAttributeType, to: .integer16AttributeType))
        #expect(conversion.converted(NSNumber(value: Int64(7))) == 1)
        #expect(conversion.converted(NSNumber(value: false)) == 0)
    }
}
