import CoreData
import Testing

@Suite struct PrintableTextTests {
    @Test("controls and bidirectional controls are escaped (HAZ-26)")
    func escapesWhatMovesTheCursorOrTurnsTheLine() {
        #expect(PrintableText.escaped("a\u{1B}[31mb") == "a\\u001B[31mb")
        #expect(PrintableText.escaped("x\u{202E}y\u{2066}z") == "x\\u202Ey\\u2066z")
        #expect(PrintableText.escaped("l1\nl2\r\n\tend\u{0}") == "l1\\nl2\\r\\n\\tend\\u0000")
        #expect(PrintableText.escaped("\u{9B}31m\u{2028}") == "\\u009B31m\\u2028")
    }

    @Test("another program's text is one line of bounded length, without what moves the cursor (HAZ-26)")
    func oneLine() {
        #expect(PrintableText.line("a\nb\r\n\u{2028}c\u{1B}[31m  \u{202E}d ") == "a b c [31m d")
        #expect(PrintableText.line(String(repeating: "é", count: 500), limit: 3) == "ééé…")
        #expect(PrintableText.line("Żółć 日本 👩‍👩‍👧") == "Żółć 日本 👩‍👩‍👧")
    }

    @Test func leavesOrdinaryTextAlone() {
        #expect(PrintableText.escaped("Żółć 日本 👩‍👩‍👧 \\n") == "Żółć 日本 👩‍👩‍👧 \\n")
    }

    @Test("a flood of combining marks is cut (HAZ-26)")
    func cutsAFloodOfCombiningMarks() {
        let flood = "a" + String(repeating: "\u{301}", count: 10_000)
        #expect(PrintableText.escaped(flood).unicodeScalars.count == 16)
    }

    @Test func looksAtNoMoreThanTheLimit() {
        #expect(PrintableText.escaped(String(repeating: "é", count: 1_000_000), limit: 5) == "ééééé")
    }
}
