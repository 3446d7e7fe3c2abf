import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// What the macros refuse, with the place and a repair.
enum ModelDiagnostics {
    struct Message: DiagnosticMessage, FixItMessage {
        let message: String
        let identifier: String
        var severity = DiagnosticSeverity.error
        var diagnosticID: MessageID { MessageID(domain: "SwiftData", id: identifier) }
        var fixItID: MessageID { diagnosticID }
    }

    /// `@Model` on a structure, an enumeration or an actor.
    static func notClass(_ declaration: some DeclGroupSyntax, attribute: AttributeSyntax) -> Diagnostic {
        let message = Message(
            message: "@Model requires a class: a model has an identity, which values and actors lack",
            identifier: "notClass")
        guard let structure = declaration.as(StructDeclSyntax.self) else {
            return Diagnostic(node: attribute, message: message)
        }
        let keyword = structure.structKeyword
        let repair = FixIt(
            message: Message(message: "make it a final class", identifier: "makeClass"),
            changes: [
                .replace(
                    oldNode: Syntax(keyword),
                    newNode: Syntax(keyword.with(\.tokenKind, .identifier("final class"))))
            ])
        return Diagnostic(node: keyword, message: message, fixIts: [repair])
    }

    /// `@ModelActor` on what is not an actor.
    static func notActor(_ attribute: AttributeSyntax) -> Diagnostic {
        Diagnostic(
            node: attribute, message: Message(message: "@ModelActor requires an actor", identifier: "notActor"))
    }

    /// What is wrong with the members of a model class, each at its property.
    static func members(of model: ClassDeclSyntax, _ properties: [ModelProperty]) -> [Diagnostic] {
        missingInitializer(model, properties)
            + model.memberBlock.members.flatMap { member in
                member.decl.as(VariableDeclSyntax.self).map(unsupported) ?? []
            }
    }

    /// A class without an initializer, at the first property that needs a value.
    private static func missingInitializer(_ model: ClassDeclSyntax, _ properties: [ModelProperty]) -> [Diagnostic] {
        guard !model.memberBlock.members.contains(where: { $0.decl.is(InitializerDeclSyntax.self) }),
            let property = properties.first(where: \.needsValue)
        else { return [] }
        let message = Message(
            message: "@Model requires an initializer in '\(model.name.text)' that sets '\(property.plainName)', "
                + "or a default value",
            identifier: "missingInitializer")
        return [
            Diagnostic(
                node: property.name, message: message, fixIts: [addingInitializer(to: model, properties)])
        ]
    }

    private static func addingInitializer(to model: ClassDeclSyntax, _ properties: [ModelProperty]) -> FixIt {
        let set = properties.filter(\.needsValue)
        let parameters = set.map { "\($0.name.text): \($0.type?.description ?? "")" }.joined(separator: ", ")
        let lines = set.map { "        self.\($0.name.text) = \($0.name.text)" }.joined(separator: "\n")
        let text = "\n\n    init(\(parameters)) {\n\(lines)\n    }"
        let block = model.memberBlock
        let member = MemberBlockItemSyntax(decl: DeclSyntax("\(raw: text)"))
        return FixIt(
            message: Message(message: "add an initializer", identifier: "addInitializer"),
            changes: [
                .replace(
                    oldNode: Syntax(block), newNode: Syntax(block.with(\.members, block.members + [member])))
            ])
    }

    /// Variables that no accessor can be added to.
    private static func unsupported(_ variable: VariableDeclSyntax) -> [Diagnostic] {
        guard !variable.isTypeMember, variable.attribute(named: "Transient") == nil,
            !variable.isConstant || !variable.hasInitialValue
        else { return variable.isConstant ? annotatedConstant(variable) : [] }
        if variable.bindings.count > 1 {
            return [
                Diagnostic(
                    node: variable,
                    message: Message(
                        message: "@Model requires a declaration for each persisted property", identifier: "severalNames"
                    ))
            ]
        }
        guard !variable.isLazy else {
            return [
                Diagnostic(
                    node: variable,
                    message: Message(
                        message: "a lazy property cannot be persisted: mark it @Transient", identifier: "lazy"))
            ]
        }
        guard case .accessors(let accessors)? = variable.bindings.first?.accessorBlock?.accessors,
            let observer = accessors.first(where: {
                [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
            })
        else { return [] }
        return [
            Diagnostic(
                node: observer,
                message: Message(
                    message: "a persisted property has no \(observer.accessorSpecifier.text): mark it @Transient",
                    identifier: "observer"))
        ]
    }

    /// A `let` with a value whose attribute says that a store is to keep it.
    private static func annotatedConstant(_ variable: VariableDeclSyntax) -> [Diagnostic] {
        guard let attribute = variable.attribute(named: "Attribute") ?? variable.attribute(named: "Relationship") else {
            return []
        }
        let keyword = variable.bindingSpecifier
        let message = Message(
            message: "a constant with a value is the same in all objects and cannot be persisted: make it a variable",
            identifier: "constant")
        let repair = FixIt(
            message: Message(message: "make it private(set) var", identifier: "makeVariable"),
            changes: [
                .replace(
                    oldNode: Syntax(keyword),
                    newNode: Syntax(keyword.with(\.tokenKind, .identifier("private(set) var"))))
            ])
        return [Diagnostic(node: attribute, message: message, fixIts: [repair])]
    }
}
