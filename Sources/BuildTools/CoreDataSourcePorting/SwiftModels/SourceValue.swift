import CoreDataModelCompiler
import SwiftParser
import SwiftSyntax

/// The value of an expression that literals alone make.
enum SourceValue {
    static func integer(_ value: ExprSyntax) -> Int? {
        if let prefix = value.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "-" {
            return integer(prefix.expression).map { -$0 }
        }
        return value.as(IntegerLiteralExprSyntax.self)?.representedLiteralValue
    }

    /// The value of a default for an attribute of a type; nil if the program computes it.
    static func value(of expression: ExprSyntax, as type: NSAttributeType) -> Any? {
        var expression = expression
        if let sequence = expression.as(SequenceExprSyntax.self), sequence.elements.count == 3,
            Array(sequence.elements)[1].trimmedDescription == "??", let first = sequence.elements.first
        {
            expression = first
        }
        if let forced = expression.as(ForceUnwrapExprSyntax.self) { expression = forced.expression }
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            return integer(expression).map { NSNumber(value: $0) }
        case .doubleAttributeType, .floatAttributeType: return number(expression).map { NSNumber(value: $0) }
        case .booleanAttributeType:
            return expression.as(BooleanLiteralExprSyntax.self).map { NSNumber(value: $0.literal.text == "true") }
        case .stringAttributeType: return expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
        case .decimalAttributeType:
            if let text = argument("string", of: expression, "Decimal") { return NSDecimalNumber(string: text) }
            return integer(expression).map { NSDecimalNumber(value: $0) }
        case .UUIDAttributeType: return argument("uuidString", of: expression, "UUID").flatMap { UUID(uuidString: $0) }
        case .URIAttributeType: return argument("string", of: expression, "URL").flatMap { URL(string: $0) }
        case .binaryDataAttributeType:
            if expression.trimmedDescription == "Data()" { return Data() }
            return argument("base64Encoded", of: expression, "Data").flatMap { Data(base64Encoded: $0) }
        case .dateAttributeType: return date(expression)
        default: return nil
        }
    }

    private static func number(_ value: ExprSyntax) -> Double? {
        if let prefix = value.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "-" {
            return number(prefix.expression).map { -$0 }
        }
        return value.as(FloatLiteralExprSyntax.self)?.representedLiteralValue ?? integer(value).map(Double.init)
    }

    private static func call(_ value: ExprSyntax, _ type: String, _ label: String) -> ExprSyntax? {
        guard let call = value.as(FunctionCallExprSyntax.self), call.arguments.count == 1,
            call.calledExpression.trimmedDescription.split(separator: ".").last == Substring(type),
            let argument = call.arguments.first, argument.label?.text == label
        else { return nil }
        return argument.expression
    }

    private static func argument(_ label: String, of value: ExprSyntax, _ type: String) -> String? {
        call(value, type, label)?.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    }

    private static func date(_ value: ExprSyntax) -> Date? {
        if let seconds = call(value, "Date", "timeIntervalSinceReferenceDate").flatMap(number) {
            return Date(timeIntervalSinceReferenceDate: seconds)
        }
        return call(value, "Date", "timeIntervalSince1970").flatMap(number).map { Date(timeIntervalSince1970: $0) }
    }
}
