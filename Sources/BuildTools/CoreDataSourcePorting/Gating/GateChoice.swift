import SwiftSyntax

/// Chooses the smallest part of a source that can go behind `#if` because of a name in it, such that the rest compiles.
///
/// The part is a statement whose value is not used, a member, or a declaration outside types. If an instance of a type
/// cannot be initialized without the part, or an enum case needs the name, the complete type is the part.
enum GateChoice {
    static func part(around token: TokenSyntax) -> Syntax? {
        var node = Syntax(token)
        while let parent = node.parent {
            if let item = node.as(CodeBlockItemSyntax.self), canGo(item) { return node }
            if let member = node.as(MemberBlockItemSyntax.self), canGo(member) { return node }
            node = parent
        }
        return nil
    }

    /// The node around a statement or member, skipping lists, blocks of members and `#if` clauses.
    private static func owner(of node: some SyntaxProtocol) -> Syntax? {
        var next = node.parent
        while let outer = next {
            switch outer.kind {
            case .codeBlockItemList, .codeBlockItem, .memberBlockItemList, .memberBlockItem, .memberBlock,
                .ifConfigClause, .ifConfigClauseList, .ifConfigDecl:
                next = outer.parent
            default: return outer
            }
        }
        return nil
    }

    // MARK: Statements

    private static func canGo(_ item: CodeBlockItemSyntax) -> Bool {
        guard let owner = owner(of: item), let list = item.parent?.as(CodeBlockItemListSyntax.self) else {
            return false
        }
        if owner.is(SourceFileSyntax.self) { return true }
        switch item.item {
        case .decl: return false
        case .stmt(let statement): if endsOrBinds(statement) { return false }
        case .expr(let expression): if isInInitializer(item), makesObject(expression) { return false }
        @unknown default: return false
        }
        if list.count == 1, owner.is(SwitchCaseSyntax.self) || owner.is(ClosureExprSyntax.self) { return false }
        return list.last?.id != item.id || !givesValue(owner)
    }

    private static func endsOrBinds(_ statement: StmtSyntax) -> Bool {
        switch statement.kind {
        case .returnStmt, .throwStmt, .guardStmt, .breakStmt, .continueStmt, .fallThroughStmt, .yieldStmt: true
        default: false
        }
    }

    private static func isInInitializer(_ item: CodeBlockItemSyntax) -> Bool {
        owner(of: item)?.parent?.is(InitializerDeclSyntax.self) == true
    }

    /// Whether an initializer needs an expression: a call of `super.init` or `self.init`, or the assignment of a stored
    /// property that needs an initial value.
    private static func makesObject(_ expression: ExprSyntax) -> Bool {
        if let elements = expression.as(SequenceExprSyntax.self)?.elements, let target = elements.first,
            elements.contains(where: { $0.is(AssignmentExprSyntax.self) })
        {
            let name = target.trimmedDescription.split(separator: ".").last.map(String.init) ?? ""
            return property(name, around: expression)?.needsInitialValue ?? false
        }
        let callee = expression.as(FunctionCallExprSyntax.self)?.calledExpression.trimmedDescription ?? ""
        return callee == "super.init" || callee == "self.init"
    }

    /// The property with a name in the innermost type around an expression; nil if the type has none.
    private static func property(_ name: String, around expression: ExprSyntax) -> VariableDeclSyntax? {
        var node = expression.parent
        while let outer = node {
            if let group = outer.asProtocol((any DeclGroupSyntax).self) {
                return group.memberBlock.members.lazy.compactMap { $0.decl.as(VariableDeclSyntax.self) }
                    .first { $0.bindings.contains { $0.pattern.trimmedDescription == name } }
            }
            node = outer.parent
        }
        return nil
    }

    /// Whether the last statement of a body may be its result: in a getter, or a function that returns a value.
    private static func givesValue(_ owner: Syntax) -> Bool {
        if owner.is(AccessorBlockSyntax.self) { return true }
        guard let parent = owner.parent, owner.is(CodeBlockSyntax.self) else { return false }
        if let accessor = parent.as(AccessorDeclSyntax.self) { return accessor.accessorSpecifier.text == "get" }
        guard let function = parent.as(FunctionDeclSyntax.self), let result = function.signature.returnClause else {
            return false
        }
        return !["Void", "()"].contains(result.type.trimmedDescription)
    }

    // MARK: Members

    private static func canGo(_ member: MemberBlockItemSyntax) -> Bool {
        guard let type = owner(of: member) else { return false }
        guard !type.is(ProtocolDeclSyntax.self), !type.is(ExtensionDeclSyntax.self) else { return true }
        switch member.decl.as(DeclSyntaxEnum.self) {
        case .enumCaseDecl: return false
        case .variableDecl(let variable):
            // A variable behind a condition would be none of the model's.
            if type.as(ClassDeclSyntax.self)?.isModel == true, variable.isStoredInObject { return false }
            return !variable.needsInitialValue
        case .initializerDecl(let initializer):
            let isConvenience = initializer.modifiers.contains { $0.name.tokenKind == .keyword(.convenience) }
            return isConvenience || initializers(of: type) > 1
        default: return true
        }
    }

    private static func initializers(of type: Syntax) -> Int {
        let members = type.asProtocol((any DeclGroupSyntax).self)?.memberBlock.members
        return members?.count { $0.decl.is(InitializerDeclSyntax.self) } ?? 0
    }
}
