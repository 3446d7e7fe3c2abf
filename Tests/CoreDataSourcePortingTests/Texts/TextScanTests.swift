import CoreDataSourcePorting
import Foundation
import Testing

@Suite struct TextScanTests {
    private func scan(_ source: String) throws -> TextScan {
        let shop = try Workshop()
        defer { try? FileManager.default.removeItem(at: shop.folder) }
        try shop.add("Source.swift", source)
        return try TextScan(of: [shop.folder.path])
    }

    @Test("texts for users are found with key, text, table and comment (L10N-03)")
    func calls() throws {
        let scan = try scan(
            #"""
            let a = NSLocalizedString("Save", comment: "A button")
            let b = NSLocalizedString("key", tableName: "Other", bundle: .main, value: "The text", comment: "")
            let c = String(localized: "Hello", defaultValue: "Hello there", table: "T", comment: "Greeting")
            let d = Foundation.NSLocalizedString("qualified", comment: "")
            let e = LocalizedStringResource("resource", comment: "R")
            func body() { _ = [Text("shown"), Text(verbatim: "not"), Text(variable), String("not"), String(describing: "not")] }
            let f = tables.text("own", table: "X", languages: choice.languages, default: "Own text")
            let g = other.text("not")
            #if os(macOS)
            let h = NSLocalizedString("elsewhere", comment: "")
            #endif
            // NSLocalizedString("comment", comment: "")
            let i = "NSLocalizedString(\"quoted\", comment: \"\")"
            """#)
        #expect(
            scan.texts.map(\.key) == ["Save", "key", "Hello", "qualified", "resource", "shown", "own", "elsewhere"])
        #expect(scan.texts.map(\.comment) == ["A button", nil, "Greeting", nil, "R", nil, nil, nil])
        #expect(scan.texts.map(\.table) == [nil, "Other", "T", nil, nil, nil, "X", nil])
        #expect(scan.texts.map(\.text) == [nil, "The text", "Hello there", nil, nil, nil, "Own text", nil])
        #expect(scan.texts.prefix(2).map(\.line) == [1, 2] && scan.texts.first?.column == 9)
        #expect(scan.findings.isEmpty && scan.count == 1)
    }

    @Test("escapes, raw and long literals are read, interpolated values become specifiers (L10N-03)")
    func literals() throws {
        let scan = try scan(
            ##"""
            let a = String(localized: "a\n\"b\" \u{e9}")
            let b = String(localized: #"raw \n"#)
            let c = String(localized: """
                two
                lines
                """)
            let d = String(localized: "\(names.count) files, 100%")
            let e = String(localized: "\(name) and \(1) of \(2.5), \(Int(x)), \(price, specifier: "%.2f")")
            let f = String(localized: "100%")
            """##)
        #expect(
            scan.texts.map(\.key) == [
                "a\n\"b\" é", "raw \\n", "two\nlines", "%lld files, 100%%", "%@ and %lld of %lf, %lld, %.2f", "100%",
            ])
        #expect(scan.findings.map(\.line) == [8])
    }

    @Test("a key that is not a literal, and a source that is not Swift, is a finding with its place (L10N-03)")
    func findings() throws {
        let scan = try scan("let key = \"a\"\nlet a = NSLocalizedString(key, comment: \"\")\n")
        #expect(scan.texts.isEmpty && scan.findings.map(\.line) == [2])
        #expect(try self.scan("let a = = (").findings.count == 1)
        let deep = "let a = " + String(repeating: "(", count: 100_000)
        #expect(try self.scan(deep).findings.count == 1)
        let chain =
            "let a = b" + String(repeating: ".c", count: 5_000) + "\nlet d = NSLocalizedString(\"d\", comment: \"\")\n"
        #expect(try self.scan(chain).texts.map(\.key) == ["d"])
        #expect(throws: (any Error).self) { try TextScan(of: ["/no/such/folder"]) }
    }
}
