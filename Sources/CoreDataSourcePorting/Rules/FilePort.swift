import SwiftParser
import SwiftSyntax

/// The rewriting of one source: the rules go through its tree and leave edits and findings here.
struct FilePort {
    let path: String
    let source: SourceBytes
    let facts: SourceFacts
    private(set) var edits: [TextEdit] = []
    private(set) var findings: [PortFinding] = []
    /// The modules of Apple's alone that it imports, under whatever condition.
    var appleImports: Set<String> = []
    /// Whether it names a type that Foundation has too.
    var namesAmbiguousType = false
    /// The names of Apple's modules that have been told of.
    var toldNames: Set<String> = []
    private let lineStarts: [Int]

    init(path: String, bytes: [UInt8], facts: SourceFacts) {
        (self.path, self.facts) = (path, facts)
        source = SourceBytes(bytes)
        lineStarts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    }

    /// Applies all rules.
    mutating func run(_ tree: SourceFileSyntax) {
        SyntaxWalk.visitAll(tree) { node in
            guard let declaration = node.as(ImportDeclSyntax.self), let module = Self.appleModule(of: declaration)
            else {
                return
            }
            appleImports.insert(module)
        }
        SyntaxWalk.visit(tree) { node, surroundings in rewrite(node, surroundings) }
    }

    /// Applies the rules for a node; false where its inside has been seen to.
    private mutating func rewrite(_ node: Syntax, _ surroundings: SyntaxWalk.Surroundings) -> Bool {
        switch node.as(SyntaxEnum.self) {
        case .importDecl(let declaration): guardImport(declaration)
        case .attributeList(let attributes): guardAttributes(attributes)
        case .protocolDecl(let declaration): bindToClasses(declaration)
        case .classDecl(let declaration): addRequiredInitializer(declaration)
        case .initializerDecl(let declaration): requireInitializer(declaration)
        case .functionDecl(let declaration): checkFunction(declaration)
        case .macroExpansionExpr(let macro): rewriteMacro(macro)
        case .codeBlockItem(let item): return !rewriteObserving(item, surroundings)
        case .token(let token): checkName(token)
        default: break
        }
        return true
    }

    mutating func edit(_ range: Range<Int>, _ replacement: String) { edits.append(TextEdit(range, replacement)) }

    /// Tells of something that is left as it is.
    mutating func report(_ node: some SyntaxProtocol, _ message: String) {
        let place = node.positionAfterSkippingLeadingTrivia.utf8Offset
        var (low, high) = (0, lineStarts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= place { low = middle } else { high = middle }
        }
        findings.append(PortFinding(file: path, line: low + 1, column: place - lineStarts[low] + 1, message: message))
    }

    /// Text in lines of its own, behind `#if canImport(ObjectiveC)`; each line at an indent.
    func guarded(_ text: String, indent: String, otherwise: String? = nil) -> String {
        let lines = ["#if canImport(ObjectiveC)", text] + (otherwise.map { ["#else", $0] } ?? []) + ["#endif"]
        return lines.joined(separator: source.newline + indent)
    }
}

extension SyntaxProtocol {
    /// The bytes of a node, without what is around it.
    var bytes: Range<Int> {
        positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
    }
}
