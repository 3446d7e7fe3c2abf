import CoreDataModelCompiler
import SwiftParser
import SwiftSyntax

/// The members of declarations that key-value coding may call.
struct KeyedMembers: Sendable, Equatable {
    /// The members marked with `@objc` or similar, which Apple's frameworks find by name at run time.
    private(set) var marked: [KeyedEntry] = []
    /// The members that Apple's frameworks find only in a class marked `@objcMembers`.
    private(set) var unmarked: [KeyedEntry] = []

    init() {}

    /// The members of a declaration with these attributes.
    fileprivate init(_ entries: [KeyedEntry], _ attributes: AttributeListSyntax) {
        let marks = ObjectiveCMark.all(in: attributes)
        if marks.contains(.shown) {
            marked = entries
        } else if !marks.contains(.hidden) {
            unmarked = entries
        }
    }

    /// The members found by name; `all` adds the unmarked ones, for a class marked `@objcMembers`.
    func entries(all: Bool) -> [KeyedEntry] { marked + (all ? unmarked : []) }

    /// Adds members; `isMarked` states that their extension is marked `@objc`, so that the unmarked ones count as
    /// marked.
    mutating func add(_ other: KeyedMembers, isMarked: Bool) {
        marked += other.marked + (isMarked ? other.unmarked : [])
        if !isMarked { unmarked += other.unmarked }
    }
}

/// Finds among a class's members those that Apple's framework finds by their names at run time.
///
/// Members that generated code in another file cannot use are left out: private ones, those with `@available`, and
/// those isolated to an actor.
enum KeyedMemberReader {
    /// The properties of a declaration that can be read by key.
    static func members(of variable: VariableDeclSyntax, access: SourceAccess) -> KeyedMembers {
        KeyedMembers(entries(of: variable, access), variable.attributes)
    }

    private static func entries(of variable: VariableDeclSyntax, _ access: SourceAccess) -> [KeyedEntry] {
        guard isReachable(variable.attributes, modifiers: variable.modifiers, access: access) else { return [] }
        let names = variable.bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text }
        if isStatic(variable.modifiers) { return names.compactMap { dependencies($0, call: $0) } }
        guard !variable.modifiers.contains(where: { $0.name.tokenKind == .keyword(.override) }) else { return [] }
        return variable.bindings.compactMap { binding in
            guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier,
                isPlain(binding.accessorBlock)
            else { return nil }
            let key = name.identifier?.name ?? name.text
            return isReadingItself(binding.accessorBlock, key) ? nil : .property(key)
        }
    }

    /// The entry for a validation method or a method that returns dependent key paths; empty for other methods.
    static func members(of function: FunctionDeclSyntax, access: SourceAccess) -> KeyedMembers {
        KeyedMembers([entry(of: function, access)].compactMap(\.self), function.attributes)
    }

    private static func entry(of function: FunctionDeclSyntax, _ access: SourceAccess) -> KeyedEntry? {
        guard isReachable(function.attributes, modifiers: function.modifiers, access: access) else { return nil }
        let name = function.name.text
        let parameters = function.signature.parameterClause.parameters
        if isStatic(function.modifiers) { return parameters.isEmpty ? dependencies(name, call: name + "()") : nil }
        guard parameters.count == 1, let parameter = parameters.first, parameter.firstName.text == "_",
            parameter.type.trimmedDescription.hasPrefix("AutoreleasingUnsafeMutablePointer<"),
            function.signature.effectSpecifiers?.throwsClause != nil, let key = key(in: name, behind: "validate")
        else { return nil }
        return .validator(key: key, method: name)
    }

    private static func dependencies(_ name: String, call: String) -> KeyedEntry? {
        key(in: name, behind: "keyPathsForValuesAffecting").map { .dependencies(key: $0, call: call) }
    }

    /// The key in a name such as `validateAge`; nil if no capitalized key follows the prefix.
    private static func key(in name: String, behind word: String) -> String? {
        guard name.hasPrefix(word), let first = name.dropFirst(word.count).first, !first.isLowercase else { return nil }
        return first.lowercased() + name.dropFirst(word.count + 1)
    }

    // MARK: What another file can use

    private static func isStatic(_ modifiers: DeclModifierListSyntax) -> Bool {
        modifiers.contains { $0.name.tokenKind == .keyword(.static) || $0.name.tokenKind == .keyword(.class) }
    }

    private static func isReachable(
        _ attributes: AttributeListSyntax, modifiers: DeclModifierListSyntax, access: SourceAccess
    ) -> Bool {
        (SourceAccess(modifiers) ?? access) >= .internal && !isActors(attributes)
            && !attributes.contains { $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription == "available" }
    }

    /// Whether an attribute isolates a declaration to a global actor, by the suffix `Actor`.
    static func isActors(_ attributes: AttributeListSyntax) -> Bool {
        attributes.contains {
            $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription.hasSuffix("Actor") ?? false
        }
    }

    /// Whether no accessor of a property is `async` or `throws`.
    private static func isPlain(_ block: AccessorBlockSyntax?) -> Bool {
        guard case .accessors(let accessors) = block?.accessors else { return true }
        return accessors.allSatisfy { $0.effectSpecifiers == nil }
    }

    // MARK: Accessors that go through the key themselves

    /// Whether accessors call `value(forKey:)` or `setValue(_:forKey:)` with their own key, which must then access the
    /// stored value instead of the property.
    private static func isReadingItself(_ block: AccessorBlockSyntax?, _ key: String) -> Bool {
        guard let block else { return false }
        let search = OwnKeySearch(key: key)
        search.walk(block)
        return search.isFound
    }

    private final class OwnKeySearch: SyntaxVisitor {
        let key: String
        var isFound = false

        init(key: String) {
            self.key = key
            super.init(viewMode: .sourceAccurate)
        }

        override func visit(_ call: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
            let callee = call.calledExpression
            let name = callee.as(MemberAccessExprSyntax.self)?.declName ?? callee.as(DeclReferenceExprSyntax.self)
            guard let name, ["value", "setValue"].contains(name.baseName.text), isOnSelf(callee),
                let argument = call.arguments.first(where: { $0.label?.text == "forKey" })
            else { return .visitChildren }
            let literal = argument.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
            // An argument that is not a literal may be any key.
            if literal == nil || literal == key { isFound = true }
            return .visitChildren
        }

        private func isOnSelf(_ callee: ExprSyntax) -> Bool {
            guard let base = callee.as(MemberAccessExprSyntax.self)?.base else { return true }
            return ["self", "super"].contains(base.trimmedDescription)
        }
    }
}
