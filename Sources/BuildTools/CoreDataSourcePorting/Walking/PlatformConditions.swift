import SwiftSyntax

/// The known values of `#if` conditions where there is no Objective-C.
enum PlatformConditions {
    /// The value of a condition on systems without Objective-C; nil if it depends on the build.
    static func value(of condition: ExprSyntax?) -> Bool? {
        switch condition?.as(ExprSyntaxEnum.self) {
        case .booleanLiteralExpr(let literal): literal.literal.tokenKind == .keyword(.true)
        case .prefixOperatorExpr(let prefix): value(of: prefix.expression).map { !$0 }
        case .tupleExpr(let tuple): value(of: tuple.elements.first?.expression)
        case .sequenceExpr(let sequence): value(of: Array(sequence.elements)[...])
        case .functionCallExpr(let call): value(of: call)
        default: nil
        }
    }

    /// The value of a chain of `||` and `&&`, the latter of which binds closer.
    private static func value(of chain: ArraySlice<ExprSyntax>) -> Bool? {
        let sides = chain.split { isOperator($0, "||") }.map { side in
            joined(
                side.split { isOperator($0, "&&") }.map { $0.count == 1 ? value(of: $0.first) : nil }, deciding: false)
        }
        return joined(sides, deciding: true)
    }

    private static func isOperator(_ expression: ExprSyntax, _ name: String) -> Bool {
        expression.as(BinaryOperatorExprSyntax.self)?.operator.text == name
    }

    /// Combines operands of `||` (`deciding` is true) or `&&` (false): one deciding value is enough, otherwise an
    /// unknown operand makes the result nil.
    private static func joined(_ values: [Bool?], deciding: Bool) -> Bool? {
        values.contains(deciding) ? deciding : values.contains(nil) ? nil : !deciding
    }

    private static func value(of call: FunctionCallExprSyntax) -> Bool? {
        guard let argument = call.arguments.first?.expression.trimmedDescription else { return nil }
        switch call.calledExpression.trimmedDescription {
        case "canImport": return AppleModules.contains(argument) ? false : ownModules.contains(argument) ? true : nil
        case "os": return appleSystems.contains(argument) ? false : argument == "Linux" ? true : nil
        case "targetEnvironment": return false
        default: return nil
        }
    }

    /// Modules of Apple's that the library has under their names.
    private static let ownModules: Set = ["CoreData", "SwiftData"]

    private static let appleSystems: Set = [
        "iOS", "macOS", "OSX", "tvOS", "watchOS", "visionOS", "xrOS", "macCatalyst",
    ]

    /// The clauses of an `#if` that can be compiled where there is no Objective-C.
    ///
    /// Empty if a condition checks for Objective-C: such code already handles both cases.
    static func possibleClauses(of config: IfConfigDeclSyntax) -> [IfConfigClauseSyntax] {
        let asksForObjectiveC = config.clauses.contains {
            $0.condition?.trimmedDescription.contains("canImport(ObjectiveC)") == true
        }
        guard !asksForObjectiveC else { return [] }
        var possible: [IfConfigClauseSyntax] = []
        for clause in config.clauses {
            let value = clause.condition == nil ? true : value(of: clause.condition)
            if value != false { possible.append(clause) }
            if value == true { break }
        }
        return possible
    }
}
