import SwiftSyntax

/// The rewriting of one source file: the data that the rules read, and the edits and findings that the rules produce.
struct FilePort {
    let path: String
    let tree: SourceFileSyntax
    let source: SourceBytes
    let facts: SourceFacts
    /// The folder of the module that the source belongs to.
    let module: ModuleFolder
    private(set) var edits: [TextEdit] = []
    private(set) var findings: [PortFinding] = []
    /// Remarks for the user about rewrites that require no manual change.
    private(set) var notes: [PortFinding] = []
    /// The modules available only on Apple's systems that the source imports, whatever `#if` surrounds the imports.
    private(set) var appleImports: Set<String> = []
    /// The modules of `appleImports` whose imports the rules put behind `#if canImport`.
    var guardedImports: Set<String> = []
    /// The modules that the source imports and that are not only Apple's, and those whose imports the rules add.
    var imports: Set<String> = []
    /// Whether the source uses a name in `AliasSource.names`, which both Foundation and the library declare.
    var namesAmbiguousType = false
    /// Whether the source uses a Foundation name that the library declares (`LibraryNames.contains`).
    var namesLibrary = false
    /// The first name in the source that open-source Foundation lacks (`LibraryNames.isMissing`).
    var missingName: String?
    /// The types of imported modules that the source uses and whose names Foundation declares too, each with its
    /// module.
    var foreignTypes: [String: String] = [:]
    /// Whether the source uses a name of Core Data (`LibraryNames.isCoreData`).
    var namesCoreData = false
    /// The names declared by Apple's modules that `gate` has reported, each once per source.
    var reportedNames: Set<String> = []
    /// The ranges that `gate` put behind `#if canImport` of Apple's modules; the rules do not edit the code in them.
    var gated: [Range<Int>] = []
    /// Statements and members that `finish` writes twice: unchanged for Apple's systems, edited for others.
    var doubled: [Range<Int>] = []
    /// The members that move from extensions into the bodies of their classes.
    var moves: [MemberMove] = []
    /// The lines to add at the ends of classes, keyed by the byte offsets of the closing braces.
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

    /// Removes the edits inside a range from `edits` and returns the text of the range with those edits applied.
    mutating func takeEdits(in range: Range<Int>) -> String {
        let inside = edits.filter { range.lowerBound <= $0.range.lowerBound && $0.range.upperBound <= range.upperBound }
        edits.removeAll { range.lowerBound <= $0.range.lowerBound && $0.range.upperBound <= range.upperBound }
        let moved = inside.map {
            TextEdit($0.range.lowerBound - range.lowerBound..<$0.range.upperBound - range.lowerBound, $0.replacement)
        }
        return String(decoding: moved.applied(to: Array(source.bytes[range])), as: UTF8.self)
    }

    /// Adds a finding about a node that the rules leave unchanged.
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

    /// Returns a text between `#if canImport(module)` and `#endif`, with `otherwise` after `#else`; every line after
    /// the first starts with `indent`.
    func guarded(
        _ text: String, indent: String, otherwise: String? = nil, module: String = "ObjectiveC"
    ) -> String {
        let lines = ["#if canImport(\(module))", text] + (otherwise.map { ["#else", $0] } ?? []) + ["#endif"]
        return lines.joined(separator: source.newline + indent)
    }

    /// Returns the text that replaces a range: the lines that `lines` makes of its text, with line breaks before and
    /// after where other code shares the first or last line of the range.
    func inOwnLines(_ range: Range<Int>, _ lines: (String) -> [String]) -> String {
        let indent = source.indent(at: range.lowerBound)
        let lead = source.startsLine(range.lowerBound) ? "" : source.newline + indent
        let tail = source.lineEnd(after: range.upperBound) == nil ? source.newline + indent : ""
        return lead + lines(source.text(range)).joined(separator: source.newline + indent) + tail
    }
}
