import SwiftSyntax

/// The rewriting of one source: what the rules know of it, and the edits and findings that they leave.
struct FilePort {
    let path: String
    let tree: SourceFileSyntax
    let source: SourceBytes
    let facts: SourceFacts
    /// What the module of the source has beside sources.
    let module: ModuleFolder
    private(set) var edits: [TextEdit] = []
    private(set) var findings: [PortFinding] = []
    /// What was decided that readers want to know, and that leaves nothing to do.
    private(set) var notes: [PortFinding] = []
    /// The modules of Apple's alone that it imports, under whatever condition.
    private(set) var appleImports: Set<String> = []
    /// Those of them whose imports are put behind a condition now.
    var guardedImports: Set<String> = []
    /// The other modules that it imports.
    var imports: Set<String> = []
    /// Whether it names a type that Foundation has too.
    var namesAmbiguousType = false
    /// Whether it names something that the library has instead of Foundation.
    var namesLibrary = false
    /// The first name in it that open-source Foundation has nothing of.
    var missingName: String?
    /// The types of other modules in it that Foundation has too, with their modules.
    var foreignTypes: [String: String] = [:]
    /// Whether it names something of Core Data.
    var namesCoreData = false
    /// The names of Apple's modules that have been reported.
    var reportedNames: Set<String> = []
    /// Code behind a condition of Apple's systems, which stays unchanged.
    var gated: [Range<Int>] = []
    /// Statements and members that are to be doubled: for Apple's systems as they are, for others edited.
    var doubled: [Range<Int>] = []
    /// Members that move into the bodies of their classes.
    var moves: [MemberMove] = []
    /// What is added at the ends of classes, by the places of their last braces.
    var classEnds: [Int: [String]] = [:]
    private let lineStarts: [Int]

    init(path: String, source parsed: ParsedSource, facts: SourceFacts, module: ModuleFolder) {
        (self.path, self.facts, self.module, tree) = (path, facts, module, parsed.tree)
        let bytes = parsed.bytes
        source = SourceBytes(bytes)
        lineStarts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
        SyntaxWalk.visitAll(tree) { node in
            guard let declaration = node.as(ImportDeclSyntax.self), let name = declaration.path.first?.name.text else {
                return
            }
            if AppleModules.contains(name) { appleImports.insert(name) } else { imports.insert(name) }
        }
    }

    mutating func edit(_ range: Range<Int>, _ replacement: String) { edits.append(TextEdit(range, replacement)) }

    /// Takes out the edits in a range and gives the text that they make of it.
    mutating func takeEdits(in range: Range<Int>) -> String {
        let inside = edits.filter { range.lowerBound <= $0.range.lowerBound && $0.range.upperBound <= range.upperBound }
        edits.removeAll { range.lowerBound <= $0.range.lowerBound && $0.range.upperBound <= range.upperBound }
        let moved = inside.map {
            TextEdit($0.range.lowerBound - range.lowerBound..<$0.range.upperBound - range.lowerBound, $0.replacement)
        }
        return String(decoding: moved.applied(to: Array(source.bytes[range])), as: UTF8.self)
    }

    /// Reports something that is left as it is.
    mutating func report(_ node: some SyntaxProtocol, _ message: String) {
        let place = node.positionAfterSkippingLeadingTrivia.utf8Offset
        var (low, high) = (0, lineStarts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= place { low = middle } else { high = middle }
        }
        findings.append(PortFinding(file: path, line: low + 1, column: place - lineStarts[low] + 1, message: message))
    }

    /// Reports a remark about the file that needs no manual change.
    mutating func note(_ message: String) { notes.append(PortFinding(file: path, message: message)) }

    /// Text in lines of its own, behind `#if canImport`; each line at an indent.
    func guarded(
        _ text: String, indent: String, otherwise: String? = nil, module: String = "ObjectiveC"
    ) -> String {
        let lines = ["#if canImport(\(module))", text] + (otherwise.map { ["#else", $0] } ?? []) + ["#endif"]
        return lines.joined(separator: source.newline + indent)
    }

    /// Lines that take the place of a range, with line ends where the range shares its lines with other code.
    func inOwnLines(_ range: Range<Int>, _ lines: (String) -> [String]) -> String {
        let indent = source.indent(at: range.lowerBound)
        let lead = source.startsLine(range.lowerBound) ? "" : source.newline + indent
        let tail = source.lineEnd(after: range.upperBound) == nil ? source.newline + indent : ""
        return lead + lines(source.text(range)).joined(separator: source.newline + indent) + tail
    }
}
