import SwiftSyntax

/// Visits a tree in source order with an explicit stack instead of recursion, since a source can nest to any depth.
enum SyntaxWalk {
    /// The context of a node.
    struct Surroundings {
        /// The name of the innermost type around the node without generic arguments; in an extension, the extended
        /// type's.
        var type: String?
        /// Whether it is in the body of a function, an accessor or a closure.
        var isLocal = false
        /// The innermost statement or member around the node; nil inside a function's parameters.
        var item: Syntax?
    }

    /// Visits the nodes that are compiled where there is no Objective-C; `visit` returns whether to enter a node.
    static func visit(_ root: some SyntaxProtocol, _ visit: (Syntax, Surroundings) -> Bool) {
        var waiting = [(Syntax(root), Surroundings())]
        while let (node, surroundings) = waiting.popLast() {
            if let config = node.as(IfConfigDeclSyntax.self) {
                let parts = PlatformConditions.possibleClauses(of: config).compactMap(\.elements).reversed()
                waiting += parts.map { (Syntax($0), surroundings) }
                continue
            }
            guard visit(node, surroundings) else { continue }
            let inside = inner(of: node, surroundings)
            waiting += node.children(viewMode: .sourceAccurate).reversed().map { ($0, inside) }
        }
    }

    /// Visits all nodes, including those in every `#if` clause.
    static func visitAll(_ root: some SyntaxProtocol, _ visit: (Syntax) -> Void) {
        var waiting = [Syntax(root)]
        while let node = waiting.popLast() {
            visit(node)
            waiting += node.children(viewMode: .sourceAccurate).reversed()
        }
    }

    private static func inner(of node: Syntax, _ outer: Surroundings) -> Surroundings {
        var inside = outer
        if let name = typeName(node) { (inside.type, inside.isLocal) = (name, false) }
        switch node.kind {
        case .codeBlock, .closureExpr, .accessorBlock: inside.isLocal = true
        case .codeBlockItem, .memberBlockItem: inside.item = node
        case .functionParameterClause: inside.item = nil
        default: break
        }
        return inside
    }

    private static func typeName(_ node: Syntax) -> String? {
        switch node.as(SyntaxEnum.self) {
        case .classDecl(let type): type.name.text
        case .structDecl(let type): type.name.text
        case .enumDecl(let type): type.name.text
        case .actorDecl(let type): type.name.text
        case .extensionDecl(let type): type.extendedType.trimmedDescription.split(separator: "<").first.map(String.init)
        default: nil
        }
    }
}
