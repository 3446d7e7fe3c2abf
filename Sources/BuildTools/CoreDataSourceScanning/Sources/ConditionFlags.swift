import SwiftSyntax

/// The names in a condition of `#if` that a build may define, such as `DEBUG`: a source does not show which are defined.
final class ConditionFlags: SyntaxVisitor {
    private(set) var names: Set<String> = []

    static func names(in condition: ExprSyntax) -> Set<String> {
        let visitor = ConditionFlags(viewMode: .sourceAccurate)
        visitor.walk(condition)
        return visitor.names
    }

    /// The values of `os(Linux)` and similar calls are known, so the names in them do not count.
    override func visit(_ call: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visit(_ name: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        if name.baseName.text != "SWIFT_PACKAGE" { names.insert(name.baseName.text) }
        return .skipChildren
    }
}
