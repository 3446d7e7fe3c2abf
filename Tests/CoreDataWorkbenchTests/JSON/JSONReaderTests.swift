import CoreData
import CoreDataWorkbench
import Testing

@Suite struct JSONReaderTests {
    private func read(_ text: String) throws -> [JSONValue] { try JSONReader.values(in: Array(text.utf8), of: "text") }

    @Test(arguments: [
        "null", "[]", "{}", #"[true,false,[null,{"b":1,"a":-0.5e-10}]]"#, "123456789012345678901234567890.5",
        #""a\"\\\n\t""#, "[0,-0,1.50,1E5]",
    ])
    func whatIsReadIsWrittenTheSame(text: String) throws {
        #expect(try read(text).map { JSONWriter.line($0) } == [text])
    }

    @Test func escapesAndPairsAreCharacters() throws {
        let values = try read(#""\u0041\u00e9\ud83d\ude00\/\b\f\r\u0000""#)
        guard case .string(let text) = try #require(values.first) else { return #expect(Bool(false)) }
        #expect(text == "Aé😀/\u{8}\u{C}\r\u{0}")
    }

    @Test func oneValueMayFollowAnother() throws {
        #expect(
            try read("\u{FEFF}{\"a\":1}\n{}\r\n[2]\t3").map { JSONWriter.line($0) } == ["{\"a\":1}", "{}", "[2]", "3"])
    }

    @Test(arguments: [
        ("", "there is nothing at line 1, byte 1"), (" \n ", "there is nothing at line 2, byte 2"),
        ("nul", "a value is expected at line 1, byte 1"), ("[1,]", "a value is expected at line 1, byte 4"),
        ("[1", "',' or ']' is expected at line 1, byte 3"), ("[", "the end comes where a value is expected"),
        ("{1:2}", "a key in quotes is expected"), ("{\"a\" 1}", "':' is expected"), ("\"a", "a text has no end"),
        ("\"\\", "a text has no end"), ("\"\\x\"", "an escape that JSON does not know"), ("1.", "this is not a number"),
        ("-", "this is not a number"), ("00", "this is not a number"), ("1e", "this is not a number"),
        ("+1", "a value is expected"),
        ("\"\\u12\"", "four hexadecimal digits"), ("\"\\u+123\"", "four hexadecimal digits"),
        ("\"\\ud800\\n\"", "half of a surrogate pair"), ("\"\\udc00\"", "half of a surrogate pair"),
        ("{\"a\":1,\"\\u0061\":2}", "the same key twice"),
        (String(repeating: "[", count: 129), "nested deeper than 128"),
    ])
    func whatIsNoJSONIsRefusedWithItsPlace(text: String, message: String) {
        let error = #expect(throws: InspectionError.self) { try read(text) }
        #expect(error?.code == .badValue)
        #expect(error?.cause.contains(message) == true, "\(error?.cause ?? "")")
    }

    @Test func nestingUpToTheBoundIsRead() throws {
        #expect(try read(String(repeating: "[", count: 128) + String(repeating: "]", count: 128)).count == 1)
    }

    @Test func bytesThatAreNoUTF8AreRefused() {
        let error = #expect(throws: InspectionError.self) {
            try JSONReader.values(in: [0x22, 0x61, 0xFF, 0x22], of: "text")
        }
        #expect(error?.cause.contains("a text is not UTF-8 at line 1, byte 2") == true)
    }

    @Test func noByteThatIsChangedOrCutOffCrashes() {
        let bytes = Array(#"{"a": [1.5e3, "\ud83d\ude00\n", null, true, {"b": -0}]}"#.utf8)
        for place in bytes.indices {
            _ = try? JSONReader.values(in: Array(bytes[..<place]), of: "text")
            for byte in UInt8.min...UInt8.max {
                var changed = bytes
                changed[place] = byte
                _ = try? JSONReader.values(in: changed, of: "text")
            }
        }
        #expect(throws: Never.self) { try JSONReader.values(in: bytes, of: "text") }
    }
}
