/// The text of a generated source, line by line.
package struct SourceText {
    package private(set) var text: String

    /// Begins a source with a comment of the given lines.
    package init(head: [String]) {
        text = head.map { $0.isEmpty ? "//\n" : "// \($0)\n" }.joined()
    }

    /// Adds lines, indented by four spaces for each level of `depth`; empty lines stay empty.
    package mutating func add(_ lines: String..., depth: Int = 0) { add(lines, depth: depth) }

    package mutating func add(_ lines: [String], depth: Int = 0) {
        let margin = String(repeating: "    ", count: depth)
        for line in lines { text += line.isEmpty ? "\n" : margin + line + "\n" }
    }

    /// The comment in sources that each build generates.
    package static let untouchable = "This file was automatically generated and should not be edited."
}
