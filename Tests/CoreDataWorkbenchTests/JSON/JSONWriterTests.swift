import CoreData
import CoreDataWorkbench
import Testing

@Suite struct JSONWriterTests {
    @Test func writesMembersInTheirOrderAndSortedOnesByBytes() {
        let value = JSONValue.object([("b", .integer(1)), ("a", .array([.null, .bool(true)]))])
        #expect(JSONWriter.line(value) == #"{"b":1,"a":[null,true]}"#)
        #expect(JSONWriter.line(.sorted(["b": .null, "a": .null, "B": .null])) == #"{"B":null,"a":null,"b":null}"#)
    }

    @Test func indentsByTwoAndLeavesEmptyListsOnTheirLine() {
        let value = JSONValue.object([
            ("a", .array([.integer(1), .integer(2)])), ("b", .array([])), ("c", .object([])),
        ])
        #expect(
            JSONWriter.lines(value) == """
                {
                  "a": [
                    1,
                    2
                  ],
                  "b": [],
                  "c": {}
                }
                """)
    }

    @Test("what a terminal would obey is escaped and reads back the same (HAZ-26)")
    func escapesReadBackAsTheSameText() throws {
        let text = "\"\\/\n\r\t\u{0}\u{1B}\u{7F}\u{9B}\u{202E}\u{2028}é日👍"
        let line = JSONWriter.line(.array([.string(text)]))
        #expect(!line.unicodeScalars.contains { PrintableText.needsEscape($0) })
        let read = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String]
        #expect(read == [text])
    }

    @Test func numbersKeepTheirDigitsAndImpossibleOnesAreTexts() {
        let values: [JSONValue] = [.real(0.1), .real(5), .real(1e300), .real(.nan), .real(-.infinity), .integer(.min)]
        #expect(JSONWriter.line(.array(values)) == #"[0.1,5.0,1e+300,"NaN","-Infinity",-9223372036854775808]"#)
    }

    @Test func valuesOfAttributesHaveTheirDocumentedForms() {
        #expect(JSONWriter.line(ValueCoding.json(NSDecimalNumber(string: "0.10"), .decimal)) == #""0.1""#)
        #expect(JSONWriter.line(ValueCoding.json(NSNumber(value: 1), .boolean)) == "true")
        #expect(JSONWriter.line(ValueCoding.json(NSNumber(value: Float(0.1)), .float)) == "0.1")
        #expect(JSONWriter.line(ValueCoding.json(Data([1, 2]), .binary)) == #""AQI=""#)
        #expect(JSONWriter.line(ValueCoding.json(nil, .string)) == "null")
        let tree: NSDictionary = ["b": NSArray(array: [1, "x"]), "a": NSNull()]
        #expect(JSONWriter.line(ValueCoding.json(tree, .transformable)) == #"{"a":null,"b":[1,"x"]}"#)
    }
}
