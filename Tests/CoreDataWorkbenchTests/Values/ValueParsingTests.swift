import CoreData
import CoreDataWorkbench
import Testing

@Suite struct ValueParsingTests {
    private func attribute(_ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = "key"
        attribute.attributeType = type
        return attribute
    }

    @Test func readsEachTypeFromItsText() throws {
        #expect(try ValueParsing.value("-7", for: attribute(.integer16AttributeType)) as? NSNumber == -7)
        #expect(try ValueParsing.value("1.5e3", for: attribute(.doubleAttributeType)) as? NSNumber == 1500)
        #expect(
            try ValueParsing.value("12345678901234567890.123", for: attribute(.decimalAttributeType))
                as? NSDecimalNumber
                == NSDecimalNumber(string: "12345678901234567890.123"))
        #expect(
            try ValueParsing.value("NaN", for: attribute(.decimalAttributeType)) as? NSDecimalNumber == .notANumber)
        #expect(try ValueParsing.value("YES", for: attribute(.booleanAttributeType)) as? NSNumber == 1)
        #expect(try ValueParsing.value("false", for: attribute(.booleanAttributeType)) as? NSNumber == 0)
        #expect(
            try ValueParsing.value("2001-01-01T00:00:01Z", for: attribute(.dateAttributeType)) as? Date
                == Date(timeIntervalSinceReferenceDate: 1))
        #expect(try ValueParsing.value("AQID", for: attribute(.binaryDataAttributeType)) as? Data == Data([1, 2, 3]))
        let uuid = UUID()
        #expect(try ValueParsing.value(uuid.uuidString, for: attribute(.UUIDAttributeType)) as? UUID == uuid)
        #expect(
            try ValueParsing.value("https://example.org/a", for: attribute(.URIAttributeType)) as? URL
                == URL(string: "https://example.org/a"))
    }

    @Test func textsStandAsTheyAreButForTheMarkOfNil() throws {
        let text = attribute(.stringAttributeType)
        #expect(try ValueParsing.value("", for: text) as? String == "")
        #expect(try ValueParsing.value("@null", for: text) == nil)
        #expect(try ValueParsing.value("@@null", for: text) as? String == "@null")
        #expect(try ValueParsing.value("@home", for: text) as? String == "@home")
    }

    @Test(arguments: [
        (NSAttributeType.integer32AttributeType, "1.5"), (.integer64AttributeType, "9223372036854775808"),
        (.doubleAttributeType, "1,5"), (.doubleAttributeType, "nan"), (.decimalAttributeType, "12abc"),
        (.decimalAttributeType, "nan"),
        (.booleanAttributeType, "maybe"), (.dateAttributeType, "yesterday"), (.binaryDataAttributeType, "***"),
        (.UUIDAttributeType, "1234"), (.URIAttributeType, ""), (.transformableAttributeType, "x"),
        (.floatAttributeType, "1e300"),
    ])
    func refusesWhatIsNoValueOfTheType(type: NSAttributeType, text: String) {
        let error = #expect(throws: InspectionError.self) { try ValueParsing.value(text, for: attribute(type)) }
        #expect(error?.code == .badValue)
        #expect(error?.hint?.isEmpty == false)
    }
}
