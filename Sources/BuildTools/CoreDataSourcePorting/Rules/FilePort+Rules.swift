import SwiftSyntax

extension FilePort {
    /// Applies all rules to the source, except to the ranges in `gated`.
    mutating func run() {
        SyntaxWalk.visit(tree) { node, surroundings in
            let place = node.positionAfterSkippingLeadingTrivia.utf8Offset
            guard !gated.contains(where: { $0.contains(place) && !node.is(SourceFileSyntax.self) && !isList(node) })
            else {
                return false
            }
            return rewrite(node, surroundings)
        }
        addMissingImports()
        reportHiddenModels()
    }

    /// Whether a node is a list of statements or members: it begins where its first element does, so it must be entered
    /// even if that element is gated.
    private func isList(_ node: Syntax) -> Bool {
        node.is(CodeBlockItemListSyntax.self) || node.is(MemberBlockItemListSyntax.self)
    }

    /// Applies the rules for a node; returns false if a rule rewrote the complete node, so that its children are
    /// skipped.
    private mutating func rewrite(_ node: Syntax, _ surroundings: SyntaxWalk.Surroundings) -> Bool {
        switch node.as(SyntaxEnum.self) {
        case .importDecl(let declaration): guardImport(declaration)
        case .attributeList(let attributes): guardAttributes(attributes)
        case .protocolDecl(let declaration): bindToClasses(declaration)
        case .classDecl(let declaration):
            addRequiredInitializer(declaration)
            listFunctions(of: declaration)
            moveObservability(of: declaration)
            noteKeyedAccess(of: declaration)
        case .extensionDecl(let declaration): moveMembers(of: declaration)
        case .initializerDecl(let declaration): requireInitializer(declaration)
        case .functionDecl(let declaration): checkFunction(declaration)
        case .macroExpansionExpr(let macro): rewriteMacro(macro)
        case .codeBlockItem(let item):
            return !rewriteObserving(item, surroundings) && !keepSelectorConstant(item, surroundings)
        case .sequenceExpr(let expression): rewriteCasts(in: expression, surroundings)
        case .functionCallExpr(let call): rewriteBundle(call, surroundings)
        case .expressionPattern(let pattern): checkPattern(pattern)
        case .token(let token): checkName(token)
        default: break
        }
        return true
    }
}
