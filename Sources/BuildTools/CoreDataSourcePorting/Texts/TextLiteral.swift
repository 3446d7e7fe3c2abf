import SwiftParser
import SwiftSyntax

/// The text of a string literal, with specifiers in the place of interpolated values.
struct TextLiteral {
    let text: String
    /// Whether a value is interpolated whose type the source does not show, so that `%@` stands for it.
    let isGuessed: Bool

    /// Returns nil for an expression that is not a string literal.
    init?(_ expression: ExprSyntax) {
        guard let literal = expression.as(StringLiteralExprSyntax.self) else { return nil }
        if let value = literal.representedLiteralValue {
            (text, isGuessed) = (value, false)
            return
        }
        var (text, isGuessed) = ("", false)
        for segment in literal.segments {
            if let part = segment.as(StringSegmentSyntax.self) {
                let alone = literal.with(\.segments, StringLiteralSegmentListSyntax([.stringSegment(part)]))
                guard let value = alone.representedLiteralValue else { return nil }
                text += value.replacing("%", with: "%%")
            } else if let part = segment.as(ExpressionSegmentSyntax.self) {
                let specifier = Self.specifier(part.expressions)
                text += specifier ?? "%@"
                isGuessed = isGuessed || specifier == nil
            }
        }
        (self.text, self.isGuessed) = (text, isGuessed)
    }

    /// The specifier of an interpolated value: the one that it names, or that of a value whose type can be seen.
    private static func specifier(_ arguments: LabeledExprListSyntax) -> String? {
        if let named = arguments.first(where: { $0.label?.text == "specifier" })?.expression {
            return named.as(StringLiteralExprSyntax.self)?.representedLiteralValue
        }
        guard arguments.count == 1, let value = arguments.first?.expression else { return "%@" }
        switch value.kind {
        case .integerLiteralExpr: return "%lld"
        case .floatLiteralExpr: return "%lf"
        case .stringLiteralExpr: return "%@"
        case .memberAccessExpr where value.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "count":
            return "%lld"
        case .functionCallExpr:
            return ofCall(value.as(FunctionCallExprSyntax.self)?.calledExpression.trimmedDescription)
        default: return nil
        }
    }

    private static func ofCall(_ name: String?) -> String? {
        switch name {
        case "Int", "Int64": "%lld"
        case "Int32": "%d"
        case "UInt", "UInt64": "%llu"
        case "Double": "%lf"
        case "String": "%@"
        default: nil
        }
    }
}
