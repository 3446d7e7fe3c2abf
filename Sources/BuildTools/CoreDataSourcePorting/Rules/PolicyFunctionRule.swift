import SwiftSyntax

/// Expressions of a mapping model call methods of a migration policy by selector. Without Objective-C, the policy class
/// must list these methods in `functions`.
extension FilePort {
    /// Adds an override of `functions` to a migration policy class, listing the methods that Objective-C would find.
    mutating func listFunctions(of type: ClassDeclSyntax) {
        let name = type.name.text
        guard facts.isMigrationPolicy(name), !PolicyFunction.areListed(in: type) else { return }
        let areExposed = type.attributes.contains { $0.isNamed("objcMembers") }
        var functions: [PolicyFunction] = []
        for member in type.memberBlock.members {
            guard let method = member.decl.as(FunctionDeclSyntax.self), PolicyFunction.isCalled(method, areExposed)
            else { continue }
            if let function = PolicyFunction(method) {
                functions.append(function)
            } else {
                report(
                    method.name,
                    "expressions of a mapping model find '\(method.name.text)' only in '\(name).functions': list it there"
                )
            }
        }
        guard !functions.isEmpty else { return }
        let brace = type.memberBlock.rightBrace.positionAfterSkippingLeadingTrivia.utf8Offset
        let inner = memberIndent(of: type) ?? source.indent(at: brace) + "    "
        let list = functions.flatMap { $0.lines(of: name, indent: inner + "        ") }
        classEnds[brace, default: []] +=
            [
                "\(inner)#if !canImport(ObjectiveC)",
                "\(inner)override \(access(of: type))class var functions: [String: Function] {",
                "\(inner)    super.functions.merging([",
            ] + list + ["\(inner)    ]) { $1 }", "\(inner)}", "\(inner)#endif"]
    }
}

/// A method of a migration policy that expressions of a mapping model can call.
private struct PolicyFunction {
    private struct Parameter {
        let label: String?
        let type: String
        let isOptional: Bool
    }

    private let name: String
    private let parameters: [Parameter]
    private let isVoid: Bool
    private let selector: String

    /// Whether a class already declares `class var functions`.
    static func areListed(in type: ClassDeclSyntax) -> Bool {
        type.memberBlock.trimmedDescription.contains("class var functions:")
    }

    /// Whether Objective-C would find a method by its name.
    static func isCalled(_ method: FunctionDeclSyntax, _ areExposed: Bool) -> Bool {
        let words = method.modifiers.map(\.name.text)
        guard !words.contains("override"), !words.contains("static"), !words.contains("class") else { return false }
        guard areExposed else { return method.attributes.contains { $0.isNamed("objc") } }
        return !method.attributes.contains { $0.isNamed("nonobjc") } && !words.contains("private")
            && !words.contains("fileprivate")
    }

    /// Nil for a method that no expression can call.
    init?(_ method: FunctionDeclSyntax) {
        let signature = method.signature
        guard signature.effectSpecifiers == nil, method.genericParameterClause == nil else { return nil }
        name = method.name.text
        parameters = signature.parameterClause.parameters.map { parameter in
            let label = parameter.firstName.tokenKind == .wildcard ? nil : parameter.firstName.text
            let optional = parameter.type.as(OptionalTypeSyntax.self)
            return Parameter(
                label: label, type: (optional?.wrappedType ?? parameter.type).trimmedDescription,
                isOptional: optional != nil)
        }
        let result = signature.returnClause?.type.trimmedDescription
        isVoid = result == nil || result == "Void" || result == "()"
        selector = method.attributes.objectiveCName ?? Self.selector(name, parameters.map(\.label))
    }

    /// The selector that the compiler gives a method: it inserts "With" before the first label unless the label begins
    /// with a preposition or the method's name ends with one.
    private static func selector(_ name: String, _ labels: [String?]) -> String {
        guard let first = labels.first else { return name }
        var selector = name
        if let first {
            if !isPreposition(words(first).first), !isPreposition(words(name).last) { selector += "With" }
            selector += first.prefix(1).uppercased() + first.dropFirst()
        }
        return selector + ":" + labels.dropFirst().map { ($0 ?? "") + ":" }.joined()
    }

    /// The words of a name in camel case.
    private static func words(_ name: String) -> [String] {
        var words: [String] = []
        for character in name {
            if character.isUppercase || words.isEmpty { words.append("") }
            words[words.count - 1].append(character)
        }
        return words
    }

    private static func isPreposition(_ word: String?) -> Bool {
        word.map { prepositions.contains($0.lowercased()) } ?? false
    }

    /// The prepositions in the Swift compiler's list.
    private static let prepositions: Set = [
        "above", "after", "along", "alongside", "as", "at", "before", "below", "by", "following", "for", "from",
        "given",
        "in", "including", "inside", "into", "matching", "of", "on", "passing", "preceding", "since", "to", "until",
        "using", "via", "when", "with", "within",
    ]

    /// The lines of the entry for this method in the `functions` dictionary.
    func lines(of type: String, indent: String) -> [String] {
        let isSafe = parameters.isEmpty ? "" : ", arguments.count == \(parameters.count)"
        let given = parameters.enumerated().map { number, parameter in
            switch (parameter.type, parameter.isOptional) {
            case ("Any", true): "let value\(number) = arguments[\(number)]"
            case ("Any", false): "guard let value\(number) = arguments[\(number)] else { return nil }"
            case (let type, true): "let value\(number) = arguments[\(number)] as? \(type)"
            case (let type, false): "guard let value\(number) = arguments[\(number)] as? \(type) else { return nil }"
            }
        }
        let call = parameters.enumerated().map { number, parameter in
            (parameter.label.map { "\($0): " } ?? "") + "value\(number)"
        }
        let invocation = "policy.\(name)(\(call.joined(separator: ", ")))"
        return ["\(indent)\"\(selector)\": { policy, arguments in"]
            + (["guard let policy = policy as? \(type)\(isSafe) else { return nil }"] + given
            + (isVoid ? [invocation, "return nil"] : ["return \(invocation)"])).map { "\(indent)    \($0)" }
            + ["\(indent)},"]
    }
}

extension AttributeListSyntax.Element {
    /// Whether this is an attribute with a name.
    func isNamed(_ name: String) -> Bool {
        self.as(AttributeSyntax.self)?.attributeName.trimmedDescription == name
    }
}
