import SwiftIfConfig
import SwiftParser
import SwiftSyntax

/// Reads Swift sources for managed properties and for the names of types, without knowing what they mean.
///
/// The bodies of functions are not scanned. A text with syntax errors yields what the parser recovers; the compiler
/// reports the errors.
package struct SourceScanner: Sendable {
    /// The maximum nesting of types; deeper types are left out.
    private static let depthLimit = 32

    private let conditions: BuildConditions

    /// `conditions` are the compilation conditions that are set, such as `DEBUG`.
    package init(conditions: Set<String> = ["SWIFT_PACKAGE"]) {
        self.conditions = BuildConditions(conditions: conditions)
    }

    /// Scans a source; bodies are hidden from the parser where that is safe.
    package func scan(_ source: String, file: String) -> ScannedFile {
        guard let skimmed = SourceSkim.text(of: source) else { return scan(whole: source, file: file) }
        let isManaged = Self.isManaged(source)
        return scan(Parser.parse(source: skimmed), whole: isManaged ? Parser.parse(source: source) : nil, file: file)
    }

    /// Scans a source without hiding bodies from the parser.
    package func scan(whole source: String, file: String) -> ScannedFile {
        let tree = Parser.parse(source: source)
        return scan(tree, whole: Self.isManaged(source) ? tree : nil, file: file)
    }

    private static func isManaged(_ source: String) -> Bool { source.utf8.firstRange(of: "@NSManaged".utf8) != nil }

    /// Scans a tree; `whole` is the tree with all bodies if the source contains `@NSManaged`, otherwise nil.
    private func scan(_ tree: SourceFileSyntax, whole: SourceFileSyntax?, file: String) -> ScannedFile {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        var walk = ScanWalk(
            file: file, converter: SourceLocationConverter(fileName: file, tree: tree),
            tree: tree, conditions: conditions, result: ScannedFile(name: name))
        walk.result.types = walk.types(
            in: tree.statements.compactMap { $0.item.as(DeclSyntax.self) }, access: .internal, depth: Self.depthLimit)
        if let whole { walk.refuseLocals(of: whole) }
        return walk.result
    }
}

/// One pass over a source.
private struct ScanWalk {
    let file: String
    let converter: SourceLocationConverter
    let tree: SourceFileSyntax
    let conditions: BuildConditions
    /// The active regions of `#if`; lazy, since few sources have conditions.
    lazy var regions = tree.configuredRegions(in: conditions)
    var result: ScannedFile

    func place(_ node: some SyntaxProtocol) -> CodePlace {
        let location = node.startLocation(converter: converter, afterLeadingTrivia: true)
        return CodePlace(file: file, line: location.line, column: location.column)
    }

    /// Adds a finding for each class inside a function that has managed members.
    mutating func refuseLocals(of whole: SourceFileSyntax) {
        let places = SourceLocationConverter(fileName: file, tree: whole)
        for member in LocalMembers.first(in: whole, conditions) {
            let location = member.startLocation(converter: places, afterLeadingTrivia: true)
            result.findings.append(
                ScanFinding(
                    place: CodePlace(file: file, line: location.line, column: location.column),
                    message:
                        "An @NSManaged member of a class inside a function: no accessors can be written for it, since "
                        + "nothing outside the function can name the class. Move the class out of the function."))
        }
    }

    /// The types among some declarations, including those in active `#if` clauses; also records imports.
    mutating func types(in declarations: [DeclSyntax], access: SourceAccess, depth: Int) -> [ScannedType] {
        guard depth > 0 else { return [] }
        return declarations.flatMap { declaration -> [ScannedType] in
            if let conditional = declaration.as(IfConfigDeclSyntax.self) {
                return types(in: chosen(conditional), access: access, depth: depth - 1)
            }
            if let imported = declaration.as(ImportDeclSyntax.self) {
                let isExported = imported.attributes.contains { $0.trimmedDescription == "@_exported" }
                let kind = imported.importKindSpecifier.map { $0.text + " " } ?? ""
                result.imports.append(
                    (isExported ? "@_exported " : "") + "import " + kind + imported.path.trimmedDescription)
            }
            return type(declaration, access: access, depth: depth).map { [$0] } ?? []
        }
    }

    private mutating func chosen(_ conditional: IfConfigDeclSyntax) -> [DeclSyntax] {
        for case let condition? in conditional.clauses.map(\.condition) {
            result.flags.formUnion(ConditionFlags.names(in: condition))
        }
        return switch regions.activeClause(for: conditional)?.elements {
        case .statements(let items)?: items.compactMap { $0.item.as(DeclSyntax.self) }
        case .decls(let members)?: members.map(\.decl)
        default: []
        }
    }

    private mutating func type(_ declaration: DeclSyntax, access: SourceAccess, depth: Int) -> ScannedType? {
        if let alias = declaration.as(TypeAliasDeclSyntax.self) {
            return ScannedType(
                kind: .alias(of: alias.initializer.value.trimmedDescription), name: alias.name.text,
                parameters: parameters(alias.genericParameterClause), inherited: [],
                access: SourceAccess(alias.modifiers) ?? access, place: place(alias))
        }
        guard let group = declaration.asProtocol(DeclGroupSyntax.self), let header = header(declaration, group) else {
            return nil
        }
        let own = SourceAccess(group.modifiers) ?? access
        var type = ScannedType(
            kind: header.kind, name: header.name, parameters: header.parameters,
            inherited: group.inheritanceClause?.inheritedTypes.map { $0.type.trimmedDescription } ?? [], access: own,
            place: place(declaration))
        let isMarked = ObjectiveCMark.all(in: group.attributes).contains(.shown) && type.kind == .extension
        addMembers(of: group.memberBlock.members.map(\.decl), to: &type, isMarked: isMarked, depth)
        type.showsMembers = ObjectiveCMark.all(in: group.attributes).contains(.showingMembers)
        type.isActors = KeyedMemberReader.isActors(group.attributes)
        if type.isActors { type.keyed = KeyedMembers() }
        return type
    }

    private func header(
        _ declaration: DeclSyntax, _ group: any DeclGroupSyntax
    ) -> (kind: ScannedType.Kind, name: String, parameters: [String])? {
        switch declaration.as(DeclSyntaxEnum.self) {
        case .classDecl(let type): (.class, type.name.text, parameters(type.genericParameterClause))
        case .structDecl(let type): (.struct, type.name.text, parameters(type.genericParameterClause))
        case .enumDecl(let type): (.enum, type.name.text, parameters(type.genericParameterClause))
        case .actorDecl(let type): (.actor, type.name.text, parameters(type.genericParameterClause))
        case .protocolDecl(let type): (.protocol, type.name.text, [])
        case .extensionDecl(let type): (.extension, type.extendedType.trimmedDescription, [])
        default: nil
        }
    }

    private func parameters(_ clause: GenericParameterClauseSyntax?) -> [String] {
        clause?.parameters.map(\.name.text) ?? []
    }

    // MARK: Members

    private mutating func addMembers(
        of declarations: [DeclSyntax], to type: inout ScannedType, isMarked: Bool, _ depth: Int
    ) {
        // Members of an extension have its access level by default; other members are internal.
        let access = type.kind == .extension ? type.access : .internal
        let isClass = type.kind == .extension || type.kind == .class
        for declaration in declarations {
            if let conditional = declaration.as(IfConfigDeclSyntax.self) {
                addMembers(of: chosen(conditional), to: &type, isMarked: isMarked, depth)
            } else if let variable = declaration.as(VariableDeclSyntax.self), isManaged(variable.attributes) {
                type.properties += properties(variable, access)
            } else if let function = declaration.as(FunctionDeclSyntax.self), isManaged(function.attributes) {
                type.methods.append(method(function, access))
            } else if isClass, let variable = declaration.as(VariableDeclSyntax.self) {
                type.keyed.add(KeyedMemberReader.members(of: variable, access: access), isMarked: isMarked)
                type.overridesTable = type.overridesTable || isTable(variable)
            } else if isClass, let function = declaration.as(FunctionDeclSyntax.self) {
                type.keyed.add(KeyedMemberReader.members(of: function, access: access), isMarked: isMarked)
            } else {
                type.types += types(in: [declaration], access: access, depth: depth - 1)
            }
        }
    }

    private func isTable(_ variable: VariableDeclSyntax) -> Bool {
        variable.bindings.contains { $0.pattern.trimmedDescription == "propertyTable" }
    }

    private func isManaged(_ attributes: AttributeListSyntax) -> Bool {
        attributes.contains { element in
            element.as(AttributeSyntax.self).map { $0.attributeName.trimmedDescription == "NSManaged" } ?? false
        }
    }

    private mutating func properties(_ variable: VariableDeclSyntax, _ access: SourceAccess) -> [ManagedProperty] {
        let access = SourceAccess(variable.modifiers) ?? access
        var type: String?
        var properties: [ManagedProperty] = []
        // In `var a, b: String?` the type applies to the names before it too.
        for binding in variable.bindings.reversed() {
            type = binding.typeAnnotation?.type.trimmedDescription ?? type
            guard let type, let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
                refuse(binding, "An @NSManaged property needs a name and a type.")
                continue
            }
            properties.append(
                ManagedProperty(
                    name: plain(name), type: type, access: access,
                    settingAccess: min(SourceAccess(settingBy: variable.modifiers) ?? access, access),
                    place: place(binding)))
        }
        return properties.reversed()
    }

    private func method(_ function: FunctionDeclSyntax, _ access: SourceAccess) -> ManagedMethod {
        ManagedMethod(
            name: plain(function.name),
            parameters: function.signature.parameterClause.parameters.map {
                ManagedMethod.Parameter(label: $0.firstName.text, type: $0.type.trimmedDescription)
            }, result: function.signature.returnClause?.type.trimmedDescription,
            access: SourceAccess(function.modifiers) ?? access, place: place(function))
    }

    /// A name without backticks.
    private func plain(_ name: TokenSyntax) -> String { name.identifier?.name ?? name.text }

    private mutating func refuse(_ node: some SyntaxProtocol, _ message: String) {
        result.findings.append(ScanFinding(place: place(node), message: message))
    }
}
