import MarkdownKit
import Testing

@Suite("Texts in Markdown") struct MarkdownTreeTests {
    @Test("headings, lists, tasks, code, links and tables are parts")
    func partsAreFound() throws {
        let nodes = try #require(
            MarkdownTree.nodes(
                """
                # Title *one*

                - [x] done
                - [ ] to do

                3. third

                ```swift
                let a = 1 < 2
                ```

                See [page](https://example.org "T") & ~~old~~ &copy; &#233;&bogus;.
                Next  
                line

                | a | b |
                |---|---|
                | 1 | 2 |

                ---
                """))
        #expect(nodes[0] == .element(.heading(level: 1), [.text("Title "), .element(.emphasis, [.text("one")])]))
        #expect(
            nodes[1]
                == .element(
                    .list(start: nil),
                    [.element(.item(isDone: true), [.text("done")]), .element(.item(isDone: false), [.text("to do")])]))
        #expect(nodes[2] == .element(.list(start: 3), [.element(.item(isDone: nil), [.text("third")])]))
        #expect(nodes[3] == .element(.codeBlock(language: "swift"), [.text("let a = 1 < 2\n")]))
        #expect(
            nodes[4]
                == .element(
                    .paragraph,
                    [
                        .text("See "), .element(.link(address: "https://example.org", title: "T"), [.text("page")]),
                        .text(" & "), .element(.deleted, [.text("old")]), .text(" © é&bogus;.\nNext"), .lineBreak,
                        .text("line"),
                    ]))
        guard case .element(.table, let rows) = nodes[5] else { throw WrongPart() }
        #expect(rows.count == 2)
        #expect(
            rows[0]
                == .element(
                    .row, [.element(.cell(isHead: true), [.text("a")]), .element(.cell(isHead: true), [.text("b")])]))
        #expect(nodes[6] == .rule)
    }

    private struct WrongPart: Error {}

    @Test("HTML is text")
    func htmlIsText() throws {
        let nodes = try #require(MarkdownTree.nodes("<script>alert(1)</script>\n\n<b onclick=x>bold</b>"))
        #expect(
            nodes == [
                .element(.paragraph, [.text("<script>alert(1)</script>")]),
                .element(.paragraph, [.text("<b onclick=x>bold</b>")]),
            ])
    }

    @Test("parts lie in one another to a bounded depth, and long texts are refused")
    func depthAndSizeAreBounded() throws {
        func depth(_ nodes: [MarkdownNode]) -> Int {
            nodes.map { if case .element(_, let inner) = $0 { 1 + depth(inner) } else { 0 } }.max() ?? 0
        }
        let nodes = try #require(MarkdownTree.nodes(String(repeating: "> ", count: 2_000) + "deep"))
        #expect(depth(nodes) <= MarkdownTree.greatestDepth && depth(nodes) > 40)
        #expect(MarkdownTree.nodes(String(repeating: "a", count: MarkdownTree.greatestSize + 1)) == nil)
        #expect(MarkdownTree.nodes("") == [])
        #expect(MarkdownTree.nodes("a\u{0}b") == [.element(.paragraph, [.text("a\u{FFFD}b")])])
    }
}
