/// The text of a generated source, line by line.
struct SourceText {
    private(set) var text: String

    /// Begins a source with what its reader is to know first.
    init(head: [String]) {
        text = head.map { $0.isEmpty ? "//\n" : "// \($0)\n" }.joined()
    }

    /// Adds lines, each at a depth of four spaces; lines without text stay empty.
    mutating func add(_ lines: String..., depth: Int = 0) { add(lines, depth: depth) }

    mutating func add(_ lines: [String], depth: Int = 0) {
        let margin = String(repeating: "    ", count: depth)
        for line in lines { text += line.isEmpty ? "\n" : margin + line + "\n" }
    }

    /// What the sources say that the build makes anew each time.
    static let untouchable = "This file was automatically generated and should not be edited."
}
