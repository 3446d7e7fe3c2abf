import CoreData
import CoreDataWorkbench
import Testing

@Suite struct JSONValueParsingTests {
    private func attribute(_ type: NSAttributeType, _ name: String = "key") -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        return attribute
    }

    private func value(_ json: String, _ attribute: NSAttributeDescription) throws -> Any? {
        let values = try JSONReader.values(in: Array(json.utf8), of: "text")
        return try JSONValueParsing.value(try #require(values.first), for: attribute)
    }

    @Test(
        "what is written of a value reads back as the same value (TOOL-17)",
        arguments: [
            (NSAttributeType.integer16AttributeType, "-32768"), (.integer64AttributeType, "9223372036854775807"),
            (.doubleAttributeType, "0.1"), (.doubleAttributeType, #""-Infinity""#), (.doubleAttributeType, "5e-324"),
            (.floatAttributeType, "0.1"), (.decimalAttributeType, #""12345678901234567890.12345678""#),
            (.booleanAttributeType, "true"), (.stringAttributeType, #""@null""#), (.stringAttributeType, #""@@""#),
            (.dateAttributeType, #""2024-02-29T12:00:00.250Z""#), (.dateAttributeType, #""@400000000000.0""#),
            (.binaryDataAttributeType, #""AQID""#), (.UUIDAttributeType, #""123E4567-E89B-12D3-A456-426614174000""#),
            (.URIAttributeType, #""https://example.org/a?b=c""#),
            (.transformableAttributeType, #"{"a":[1,"b",null,true]}"#),
        ])
    func writtenValueReadsBack(type: NSAttributeType, json: String) throws {
        let attribute = attribute(type)
        let read = try #require(try value(json, attribute))
        #expect(JSONWriter.line(ValueCoding.json(read, AttributeKind(attribute))) == json)
        #expect(try value("null", attribute) == nil)
    }

    @Test(
        "a Double that has no digits is the same value as text and in JSON",
        arguments: [("Infinity", Double.infinity), ("-Infinity", -.infinity), ("∞", .infinity), ("-∞", -.infinity)])
    func infinityIsOneInTextAndJSON(text: String, number: Double) throws {
        for type in [NSAttributeType.doubleAttributeType, .floatAttributeType] {
            let attribute = attribute(type)
            #expect((try value("\"\(text)\"", attribute) as? NSNumber)?.doubleValue == number)
            #expect((try ValueParsing.value(text, for: attribute) as? NSNumber)?.doubleValue == number)
        }
        let read = try ValueParsing.value("NaN", for: attribute(.doubleAttributeType)) as? NSNumber
        #expect(read?.doubleValue.isNaN == true)
    }

    @Test func compositeIsReadElementByElement() throws {
        let composite = NSCompositeAttributeDescription()
        composite.name = "place"
        composite.elements = [attribute(.dateAttributeType, "seen"), attribute(.doubleAttributeType, "latitude")]
        let read = try #require(
            try value(#"{"seen": "2001-01-01T00:00:01Z", "latitude": 1.5}"#, composite) as? [String: Any])
        #expect(read["seen"] as? Date == Date(timeIntervalSinceReferenceDate: 1))
        #expect(read["latitude"] as? NSNumber == 1.5)
        let unknown = #expect(throws: InspectionError.self) { try value(#"{"latitud": 1}"#, composite) }
        #expect(unknown?.hint == "did you mean 'latitude'?")
        #expect(throws: InspectionError.self) { try value("[1]", composite) }
    }

    @Test(arguments: [
        (NSAttributeType.integer32AttributeType, "1.5"), (.integer32AttributeType, #""1""#),
        (.integer16AttributeType, "true"),
        (.integer64AttributeType, "9223372036854775808"), (.doubleAttributeType, #""1.5""#),
        (.doubleAttributeType, "1e999"),
        (.booleanAttributeType, "1"), (.booleanAttributeType, #""YES""#), (.stringAttributeType, "1"),
        (.stringAttributeType, #"["a"]"#), (.dateAttributeType, "1"), (.dateAttributeType, #""1.2.2024""#),
        (.binaryDataAttributeType, #""*""#), (.UUIDAttributeType, #""1""#), (.URIAttributeType, #""""#),
        (.decimalAttributeType, #""nan""#), (.objectIDAttributeType, #""Book/p1""#),
    ])
    func otherTypesAreRefusedWithoutTheValue(type: NSAttributeType, json: String) {
        let error = #expect(throws: InspectionError.self) { try value(json, attribute(type)) }
        #expect(error?.code == .badValue)
        #expect(error?.cause == "the JSON is not a value of type \(type.text)")
        #expect(error?.hint?.isEmpty == false)
    }
}
