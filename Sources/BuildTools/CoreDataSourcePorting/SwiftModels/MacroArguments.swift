import SwiftParser
import SwiftSyntax

/// The arguments of `@Attribute` or `@Relationship`.
struct MacroArguments {
    let isRelationship: Bool
    /// The names of the options, such as `unique`.
    private(set) var options: Set<String> = []
    private(set) var transformer: String?
    private(set) var originalName: String?
    private(set) var hashModifier: String?
    private(set) var deleteRule: String?
    private(set) var minimum = 0
    private(set) var maximum = 0
    /// The key path of the inverse, without its root.
    private(set) var inverse: String?
    /// The arguments that are no literals, so that their values are not known.
    private(set) var hidden: [ExprSyntax] = []

    init(_ attribute: AttributeSyntax) {
        isRelationship = attribute.attributeName.trimmedDescription.hasSuffix("Relationship")
        guard case .argumentList(let list)? = attribute.arguments else { return }
        for argument in list { add(argument.label?.text, argument.expression) }
    }

    private mutating func add(_ label: String?, _ value: ExprSyntax) {
        guard value.kind != .nilLiteralExpr else { return }
        switch label {
        case nil: addOption(value)
        case "originalName": originalName = text(value)
        case "hashModifier": hashModifier = text(value)
        case "deleteRule": deleteRule = value.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        case "minimumModelCount": minimum = number(value)
        case "maximumModelCount": maximum = number(value)
        case "inverse":
            inverse = Self.name(of: value)
            if inverse == nil { hidden.append(value) }
        default: hidden.append(value)
        }
    }

    private mutating func addOption(_ value: ExprSyntax) {
        if let access = value.as(MemberAccessExprSyntax.self) {
            options.insert(access.declName.baseName.text)
        } else if let call = value.as(FunctionCallExprSyntax.self), let argument = call.arguments.first?.expression,
            call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "transformable"
        {
            if let access = argument.as(MemberAccessExprSyntax.self), access.declName.baseName.text == "self" {
                transformer = access.base?.trimmedDescription.split(separator: ".").last.map(String.init)
            } else {
                transformer = text(argument)
            }
        } else {
            hidden.append(value)
        }
    }

    private mutating func text(_ value: ExprSyntax) -> String? {
        let text = value.as(StringLiteralExprSyntax.self)?.representedLiteralValue
        if text == nil { hidden.append(value) }
        return text
    }

    private mutating func number(_ value: ExprSyntax) -> Int {
        if let number = SourceValue.integer(value) { return number }
        hidden.append(value)
        return 0
    }

    /// The last name of a key path; nil for another expression.
    static func name(of value: ExprSyntax) -> String? {
        guard value.is(KeyPathExprSyntax.self) else { return nil }
        return value.trimmedDescription.filter { !"?!`".contains($0) }.split(separator: ".").last.map(String.init)
    }

    /// The names in a list of key paths; nil for another expression.
    static func names(in value: ExprSyntax) -> [String]? {
        guard let list = value.as(ArrayExprSyntax.self) else { return nil }
        let names = list.elements.compactMap { name(of: $0.expression) }
        return names.count == list.elements.count ? names : nil
    }
}
