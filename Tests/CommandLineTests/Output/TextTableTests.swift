import CoreDataInspection
import Testing

@testable import coredata

@Suite struct DisplayWidthTests {
    @Test func ideographsAndEmojiTakeTwoColumns() {
        #expect(DisplayWidth.of("abc") == 3)
        #expect(DisplayWidth.of("日本") == 4)
        #expect(DisplayWidth.of("👩‍👩‍👧é") == 3)
        #expect(DisplayWidth.of("e\u{301}") == 1)
    }

    @Test(arguments: [
        ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 6, "日本語"), ("a", 0, "…"),
    ])
    func truncationHeedsTheWidth(text: String, columns: Int, shown: String) {
        #expect(DisplayWidth.truncated(text, to: columns) == shown)
    }
}

@Suite struct CSVLineTests {
    @Test func nilIsEmptyAndTheEmptyTextIsQuoted() {
        #expect(
            CSVLine.text([nil, "", "a", "b,c", "d\"e", "f\ng", " h"])
                == ",\"\",a,\"b,c\",\"d\"\"e\",\"f\ng\",\" h\"\r\n")
    }
}
