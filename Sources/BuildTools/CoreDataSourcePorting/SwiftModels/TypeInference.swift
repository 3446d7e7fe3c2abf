import SwiftParser
import SwiftSyntax

/// The type of a variable without one, by the value that it begins with.
struct TypeInference {
    let reading: TypeReading
    let scope: [String]

    /// Initializers that return nil for a text that they do not understand.
    private static let failable: Set = [
        "URL(string", "UUID(uuidString", "Decimal(string", "Data(base64Encoded", "Int(", "Double(", "Float(",
    ]

    func type(of value: ExprSyntax) -> SourceType {
        switch value.as(ExprSyntaxEnum.self) {
        case .integerLiteralExpr: return named("Int")
        case .floatLiteralExpr: return named("Double")
        case .booleanLiteralExpr: return named("Bool")
        case .stringLiteralExpr: return named("String")
        case .prefixOperatorExpr(let prefix): return type(of: prefix.expression)
        case .forceUnwrapExpr(let forced):
            return SourceType(kind: type(of: forced.expression).kind, isOptional: false)
        case .tupleExpr(let tuple) where tuple.elements.count == 1:
            return tuple.elements.first.map { type(of: $0.expression) } ?? hidden
        case .sequenceExpr(let sequence): return type(ofSequence: Array(sequence.elements))
        case .memberAccessExpr(let access): return access.base.map { type(written: $0) } ?? hidden
        case .functionCallExpr(let call): return type(ofCall: call)
        case .arrayExpr(let array):
            guard let first = array.elements.first else { return hidden }
            return list(of: type(of: first.expression), first.expression)
        default: return hidden
        }
    }

    private var hidden: SourceType {
        SourceType(kind: .unknown("its type cannot be seen from its value: write the type"), isOptional: false)
    }

    private func named(_ name: String) -> SourceType { reading.read(Self.parsed(name), in: scope) }

    private static func parsed(_ text: String) -> TypeSyntax {
        var parser = Parser(text)
        return TypeSyntax.parse(from: &parser)
    }

    private func type(ofSequence elements: [ExprSyntax]) -> SourceType {
        guard elements.count == 3, let name = elements[1].as(BinaryOperatorExprSyntax.self)?.operator.text else {
            return hidden
        }
        let first = type(of: elements[0])
        switch name {
        case "??": return SourceType(kind: first.kind, isOptional: type(of: elements[2]).isOptional)
        case "+", "-", "*", "/": return first
        default: return hidden
        }
    }

    private func type(ofCall call: FunctionCallExprSyntax) -> SourceType {
        let text = call.trimmedDescription
        let isFailable = Self.failable.contains { text.hasPrefix($0) || text.hasPrefix("Foundation." + $0) }
        let callee = call.calledExpression
        var found = type(written: callee)
        if case .unknown = found.kind, let base = callee.as(MemberAccessExprSyntax.self)?.base {
            // `Kind.init(…)`, or a function of a type that makes one of its values.
            found = type(written: base)
        }
        return SourceType(kind: found.kind, isOptional: isFailable && call.arguments.first?.label != nil)
    }

    /// The type that an expression names.
    private func type(written expression: ExprSyntax) -> SourceType {
        let text = expression.trimmedDescription
        guard let first = text.first, first.isUppercase || first == "[", text.utf8.count < 500 else { return hidden }
        let type = Self.parsed(text)
        return type.hasError ? hidden : reading.read(type, in: scope)
    }

    private func list(of element: SourceType, _ value: ExprSyntax) -> SourceType {
        guard !element.isOptional else { return hidden }
        switch element.kind {
        case .simple:
            let name: String? =
                switch value.kind {
                case .integerLiteralExpr: "Int"
                case .floatLiteralExpr: "Double"
                case .booleanLiteralExpr: "Bool"
                case .stringLiteralExpr: "String"
                default: nil
                }
            return name.map { SourceType(kind: .list($0), isOptional: false) } ?? hidden
        case .toOne(let path): return SourceType(kind: .toMany(path), isOptional: false)
        case .composite: return SourceType(kind: .encoded, isOptional: false)
        default: return hidden
        }
    }
}
