import SwiftSyntax

/// The ways in which a source ignores the error of a call of Core Data.
enum IgnoredError {
    /// The calls whose errors must not be lost, with what is lost.
    ///
    /// A fetch is one of them only by `try?`: an empty list and a failure look alike then.
    private static let calls: [String: String] = [
        "save": "what was not saved is lost", "saveContext": "what was not saved is lost",
        "execute": "a batch request that failed looks like one that did nothing",
        "obtainPermanentIDs": "objects keep identifiers that end with the process",
        "fetch": "a fetch that failed looks like one that found nothing",
        "performFetch": "a list that failed looks like an empty one",
        "addPersistentStore": "a store that is missing looks like an empty one",
        "migratePersistentStore": "the store may be where it was", "setQueryGenerationFrom": "reads mix states",
        "existingObject": "an object that cannot be read looks like one that is gone",
    ]

    /// What is wrong at a node, and what to do; nil if nothing is.
    static func message(for node: Syntax) -> String? {
        if let attempt = node.as(TryExprSyntax.self), attempt.questionOrExclamationMark?.text == "?" {
            return optionalTry(attempt)
        }
        if let attempt = node.as(TryExprSyntax.self), attempt.questionOrExclamationMark?.text == "!" {
            guard let name = call(in: attempt.expression), ["save", "saveContext"].contains(name) else { return nil }
            return
                "'try!' stops the program where '\(name)' fails, as on a full disk or by a rule of the model: use 'do' "
                + "and 'catch', and tell the user"
        }
        if let statement = node.as(DoStmtSyntax.self) { return emptyCatch(statement) }
        if let call = node.as(FunctionCallExprSyntax.self) { return ignoredCompletion(call) }
        return nil
    }

    // MARK: try?

    private static func optionalTry(_ attempt: TryExprSyntax) -> String? {
        guard let name = call(in: attempt.expression), let loss = calls[name] else { return nil }
        // What reads the optional sees the failure; of a fetch it does not, once `?? []` follows.
        if isRead(attempt), name != "fetch" || !hasDefault(attempt) { return nil }
        let cure =
            ["save", "saveContext"].contains(name)
            ? "use 'try' in 'do', and in 'catch' show the error and keep or roll back the changes"
            : "use 'try' in 'do' and 'catch', or let the caller throw it"
        return "the error of '\(name)' is ignored, and \(loss): \(cure)"
    }

    /// Whether the value of the expression is used: bound, compared, returned or passed on.
    private static func isRead(_ attempt: TryExprSyntax) -> Bool {
        guard let parent = attempt.parent else { return false }
        if let item = parent.as(CodeBlockItemSyntax.self) {
            // A closure, function or accessor of a single expression gives it to its caller; what that does is not known.
            return isImplicitReturn(item)
        }
        if let sequence = parent.as(ExprListSyntax.self) {
            // `_ = try? context.save()`
            return sequence.first?.is(DiscardAssignmentExprSyntax.self) != true
        }
        if let infix = parent.as(InfixOperatorExprSyntax.self) {
            return !infix.leftOperand.is(DiscardAssignmentExprSyntax.self)
        }
        if let initializer = parent.as(InitializerClauseSyntax.self),
            initializer.parent?.as(PatternBindingSyntax.self)?.pattern.is(WildcardPatternSyntax.self) == true
        {
            return false
        }
        return true
    }

    /// Whether the only expression of a body is a value that the body gives to its caller, by a declared type.
    private static func isImplicitReturn(_ item: CodeBlockItemSyntax) -> Bool {
        guard let list = item.parent?.as(CodeBlockItemListSyntax.self), list.count == 1 else { return false }
        if let function = list.parent?.parent?.as(FunctionDeclSyntax.self) {
            let type = function.signature.returnClause?.type.trimmedDescription
            return type != nil && type != "Void" && type != "()"
        }
        return list.parent?.is(AccessorBlockSyntax.self) == true
    }

    /// Whether `??` follows, in the expression or behind parentheses around it.
    private static func hasDefault(_ attempt: TryExprSyntax) -> Bool {
        if attempt.expression.trimmedDescription.contains("??") { return true }
        var outer = Syntax(attempt)
        while let tuple = outer.parent?.parent?.parent?.as(TupleExprSyntax.self), tuple.elements.count == 1 {
            outer = Syntax(tuple)
        }
        guard let list = outer.parent?.as(ExprListSyntax.self) else { return false }
        return list.contains { $0.as(BinaryOperatorExprSyntax.self)?.operator.text == "??" }
    }

    /// The name of the call that an expression is, or that is the beginning of one, such as `fetch(request).first`.
    private static func call(in expression: ExprSyntax) -> String? {
        var expression = expression
        for _ in 0..<64 {
            if let call = expression.as(FunctionCallExprSyntax.self) {
                guard let name = name(of: call.calledExpression) else { return nil }
                if calls[name] != nil { return name }
                expression = call.calledExpression
            } else if let member = expression.as(MemberAccessExprSyntax.self), let base = member.base {
                expression = base
            } else if let wait = expression.as(AwaitExprSyntax.self) {
                expression = wait.expression
            } else if let sequence = expression.as(SequenceExprSyntax.self), let first = sequence.elements.first {
                expression = first
            } else if let chained = expression.as(OptionalChainingExprSyntax.self) {
                expression = chained.expression
            } else if let tuple = expression.as(TupleExprSyntax.self), tuple.elements.count == 1,
                let only = tuple.elements.first
            {
                expression = only.expression
            } else {
                return nil
            }
        }
        return nil
    }

    private static func name(of expression: ExprSyntax) -> String? {
        if let reference = expression.as(DeclReferenceExprSyntax.self) { return reference.baseName.text }
        return expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    }

    // MARK: catch

    /// A `do` that saves, and whose `catch` does nothing.
    private static func emptyCatch(_ statement: DoStmtSyntax) -> String? {
        guard statement.catchClauses.contains(where: { $0.body.statements.isEmpty }) else { return nil }
        var found: String?
        SyntaxWalk.visitAll(statement.body) { node in
            guard found == nil, let attempt = node.as(TryExprSyntax.self), attempt.questionOrExclamationMark == nil,
                let name = call(in: attempt.expression)
            else { return }
            found = name
        }
        guard let found, let loss = calls[found] else { return nil }
        return "'catch' does nothing with the error of '\(found)', and \(loss): show it, or let the caller throw it"
    }

    // MARK: Completions

    /// `loadPersistentStores { _, _ in … }`: a store that cannot be opened is not noticed.
    private static func ignoredCompletion(_ call: FunctionCallExprSyntax) -> String? {
        guard name(of: call.calledExpression) == "loadPersistentStores" else { return nil }
        let closure =
            call.trailingClosure
            ?? call.arguments.first { $0.label?.text == "completionHandler" }?.expression
            .as(ClosureExprSyntax.self)
        guard let closure else { return nil }
        let names: [String] =
            switch closure.signature?.parameterClause {
            case .simpleInput(let list)?: list.map(\.name.text)
            case .parameterClause(let clause)?: clause.parameters.map { ($0.secondName ?? $0.firstName).text }
            default: []
            }
        let error = names.count > 1 ? names[1] : "$1"
        guard error == "_" || !uses(error, in: closure.statements) else { return nil }
        return "the error of 'loadPersistentStores' is ignored: a store that cannot be opened looks like an empty one; "
            + "look at the second argument"
    }

    private static func uses(_ name: String, in statements: CodeBlockItemListSyntax) -> Bool {
        var isUsed = false
        SyntaxWalk.visitAll(statements) { node in
            if node.as(DeclReferenceExprSyntax.self)?.baseName.text == name { isUsed = true }
            if let binding = node.as(OptionalBindingConditionSyntax.self), binding.initializer == nil,
                binding.pattern.trimmedDescription == name
            {
                isUsed = true
            }
        }
        return isUsed
    }
}
