import SwiftSyntax

/// A call that looks up a text: which function it is, and where its key, table, text and comment are among the arguments.
struct TextCall {
    /// How a function names its arguments; the key is the first one, with or without a label.
    private struct Form {
        var keyLabel: String?
        var table = "table"
        var text = "defaultValue"
        /// A label without which the call is of another function of the same name.
        var requires: String?
    }

    /// The functions by name; a name may have several forms.
    private static let forms: [String: [Form]] = [
        "NSLocalizedString": [Form(table: "tableName", text: "value")],
        "String": [Form(keyLabel: "localized")],
        "AttributedString": [Form(keyLabel: "localized")],
        "LocalizedStringResource": [Form()],
        "LocalizedStringKey": [Form()],
        "Text": [Form(table: "tableName")],
        // StringTables.text(_:table:languages:) of CoreDataLocalization.
        "text": [Form(text: "default", requires: "languages")],
    ]

    let key: ExprSyntax
    let text: ExprSyntax?
    let table: ExprSyntax?
    let comment: ExprSyntax?

    /// Returns nil for a call of another function.
    init?(_ call: FunctionCallExprSyntax) {
        guard let name = Self.name(of: call.calledExpression), let forms = Self.forms[name],
            let first = call.arguments.first
        else { return nil }
        let arguments = Array(call.arguments)
        func argument(_ label: String) -> ExprSyntax? { arguments.first { $0.label?.text == label }?.expression }
        let form = forms.first { form in
            first.label?.text == form.keyLabel && (form.requires.map { argument($0) != nil } ?? true)
        }
        guard let form else { return nil }
        key = first.expression
        text = argument(form.text)
        table = argument(form.table)
        comment = argument("comment")
    }

    private static func name(of expression: ExprSyntax) -> String? {
        if let reference = expression.as(DeclReferenceExprSyntax.self) { return reference.baseName.text }
        return expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    }
}
