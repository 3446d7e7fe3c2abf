import CoreData
import CoreDataWorkbench
import Testing

@Suite struct ByteTextTests {
    @Test(arguments: [0, 7, 9, 10, 11, 99, 100, 999_999, 1_000_000, Int64.max, -1, -10, Int64.min, Int64.min + 1])
    func integersHaveTheirDigits(number: Int64) {
        var text = ByteText()
        text.append(number)
        #expect(text.string == "\(number)")
    }

    @Test func growsAsItIsFilled() {
        var text = ByteText(capacity: 1)
        var expected = ""
        for number in 0..<3_000 {
            text.append(UInt8(ascii: "<"))
            text.append("number " as StaticString)
            text.append(Int64(number))
            text.append(String(repeating: "é", count: number % 7))
            expected += "<number \(number)" + String(repeating: "é", count: number % 7)
        }
        #expect(text.string == expected)
        #expect(text.count == expected.utf8.count)
        text.removeAll()
        #expect(text.string == "")
    }

    @Test(
        "texts of any bytes are JSON that reads back as the repaired text",
        arguments: [
            [], [0x41], [0x22, 0x5C, 0x0A, 0x00, 0x1F, 0x7F], [0xC3, 0xA9], [0xC3], [0xE2, 0x80, 0xAE], [0xE2, 0x80],
            [0xF0, 0x9F, 0x91, 0xA9, 0x41], [0xF4, 0x90, 0x80, 0x80], [0xFF, 0x22], [0xC2, 0x85],
            [0xEF, 0xBB, 0xBF, 0x2C],
        ] as [[UInt8]])
    func quotedBytesReadBack(bytes: [UInt8]) throws {
        var text = ByteText()
        bytes.withUnsafeBytes { text.append(quoted: $0) }
        let expected = String(decoding: bytes, as: UTF8.self)
        let read = try JSONSerialization.jsonObject(with: Data(text.string.utf8), options: .fragmentsAllowed) as? String
        #expect(read.map { Array($0.unicodeScalars) } == Array(expected.unicodeScalars))
        #expect(!text.string.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E || $0.value == 0x85 })
        var other = ByteText()
        other.append(quoted: expected)
        #expect(other.string == text.string)
        var field = ByteText()
        bytes.withUnsafeBytes { field.append(field: $0) }
        #expect(expected.isEmpty || field.string.replacing("\"\"", with: "\"").contains(expected))
    }
}
