import CoreDataWorkbench
import Testing

@testable import CoreDataPrinting

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

@Suite struct TextTableTests {
    private func lines(_ table: TextTable, _ rows: [[String]]) throws -> [String] {
        var table = table
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("table-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let output = StandardOutput(descriptor: descriptor)
        for row in rows { table.add(row, to: output) }
        table.finish(output)
        try output.flush()
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test(arguments: [10, 20, 40, nil])
    func wholeColumnsAreNeverCut(limit: Int?) throws {
        let identifier = "AnEntityWithALongName/p12345"
        let table = TextTable([.init(title: "objectID", isWhole: true), .init(title: "text")], limit: limit)
        let long = String(repeating: "x", count: 500)
        let lines = try lines(
            table,
            [["E/p1", "a"], [identifier, long]] + Array(repeating: ["E/p2", "b"], count: 600) + [
                [identifier + "6", long]
            ])
        #expect(lines.contains { $0.hasPrefix(identifier) })
        // Behind those by which the widths were chosen too.
        #expect(lines.contains { $0.hasPrefix(identifier + "6") })
        #expect(lines.allSatisfy { $0.count <= max(limit ?? 0, identifier.count) + 3 + TextTable.widest })
    }
}

@Suite struct CSVLineTests {
    @Test func nilIsEmptyAndTheEmptyTextIsQuoted() {
        #expect(
            CSVLine.text([nil, "", "a", "b,c", "d\"e", "f\ng", " h"])
                == ",\"\",a,\"b,c\",\"d\"\"e\",\"f\ng\",\" h\"\r\n")
    }
}
