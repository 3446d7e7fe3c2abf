import CoreDataModelCompiler
import SwiftSyntax

/// A class with `@Model` as its source shows it.
struct ModelClass {
    /// A persisted variable.
    struct Variable {
        let name: String
        let node: VariableDeclSyntax
        let type: SourceType
        let annotation: MacroArguments?
        /// The value that the declaration gives.
        let value: ExprSyntax?
    }

    let path: [String]
    let declaration: DeclaredType
    /// The model class that it inherits from.
    let parent: [String]?
    let variables: [Variable]
    /// The indexes that `#Index` declares.
    private(set) var indexes: [(isTree: Bool, names: [String])] = []
    /// The constraints that `#Unique` declares.
    private(set) var constraints: [[String]] = []

    var name: String { path.last ?? "" }

    init(_ declaration: DeclaredType, _ types: DeclaredTypes) {
        path = declaration.path
        self.declaration = declaration
        parent = declaration.inherited.first
            .flatMap {
                types.resolve($0.split(separator: ".").map(String.init), from: Array(declaration.path.dropLast()))
            }
            .flatMap { types[$0]?.isModel == true ? $0 : nil }
        let reading = TypeReading(types: types)
        let own = declaration.node.as(ClassDeclSyntax.self)?.memberBlock.members.map(\.decl) ?? []
        variables = own.compactMap { $0.as(VariableDeclSyntax.self) }.filter(\.isPersisted)
            .compactMap { Self.variable($0, in: declaration.path, reading) }
        for macro in own.compactMap({ $0.as(MacroExpansionDeclSyntax.self) }) { add(macro) }
    }

    private static func variable(
        _ node: VariableDeclSyntax, in scope: [String], _ reading: TypeReading
    ) -> Variable? {
        guard let binding = node.bindings.first,
            let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText
        else { return nil }
        let value = binding.initializer?.value
        let inference = TypeInference(reading: reading, scope: scope)
        let type =
            binding.typeAnnotation.map { reading.read($0.type, in: scope) } ?? value.map(inference.type)
            ?? SourceType(kind: .unknown("it has no type"), isOptional: false)
        let attribute = node.attributes.macro("Attribute") ?? node.attributes.macro("Relationship")
        return Variable(
            name: name, node: node, type: type, annotation: attribute.map(MacroArguments.init), value: value)
    }

    private mutating func add(_ macro: MacroExpansionDeclSyntax) {
        switch macro.macroName.text {
        case "Unique":
            constraints += macro.arguments.compactMap { MacroArguments.names(in: $0.expression) }
        case "Index":
            for argument in macro.arguments {
                let call = argument.expression.as(FunctionCallExprSyntax.self)
                let kind = call?.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
                let list = call?.arguments.first?.expression ?? argument.expression
                if let names = MacroArguments.names(in: list) { indexes.append((kind == "rtree", names)) }
            }
        default: return
        }
    }
}

extension VariableDeclSyntax {
    /// Whether the store keeps the variable of a model class, as `@Model` decides it.
    fileprivate var isPersisted: Bool {
        let isConstantWithValue = bindingSpecifier.text == "let" && bindings.contains { $0.initializer != nil }
        let isLazy = modifiers.contains { $0.name.text == "lazy" }
        return bindings.count == 1 && isStoredInObject && !isConstantWithValue && !isLazy
            && attributes.macro("Transient") == nil
    }
}
