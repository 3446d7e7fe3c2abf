/// The text of a generated source, line by line.
package struct SourceText {
    package private(set) var text: String

    /// Begins a source with what its reader is to know first.
    package init(head: [String]) {
        text = head.map { $0.isEmpty ? "//\n" : "// \($0)\n" }.joined()
    }

    /// Adds lines, each at a depth of four spaces; lines without text stay empty.
    package mutating func add(_ lines: String..., depth: Int = 0) { add(lines, depth: depth) }

    package mutating func add(_ lines: [String], depth: Int = 0) {
        let margin = String(repeating: "    ", count: depth)
        for line in lines { text += line.isEmpty ? "\n" : margin + line + "\n" }
    }

    /// The text of the sources that each build generates.
    package static let untouchable = "This file was automatically generated and should not be edited."
}
