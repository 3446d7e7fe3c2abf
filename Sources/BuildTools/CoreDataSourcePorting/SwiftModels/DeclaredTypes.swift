import SwiftSyntax

/// A type that sources declare, with the members that extensions add.
struct DeclaredType {
    enum Kind { case `class`, structure, enumeration, alias, other }

    let kind: Kind
    /// The name with those of the types around it.
    let path: [String]
    let node: DeclSyntax
    let file: Int
    /// What it inherits from or conforms to, also by extensions.
    var inherited: [String] = []
    /// The members, those of extensions last.
    var members: [DeclSyntax] = []

    var name: String { path.last ?? "" }
    /// Whether the class has `@Model`.
    var isModel: Bool { node.as(ClassDeclSyntax.self)?.isModel ?? false }
    var isCodable: Bool {
        inherited.contains("Codable") || inherited.contains("Encodable") && inherited.contains("Decodable")
    }
}

/// The types of some sources by their names.
struct DeclaredTypes {
    private(set) var types: [[String]: DeclaredType] = [:]
    /// The names in the order of the sources.
    private(set) var order: [[String]] = []
    private var extensions: [(path: [String], inherited: [String], members: [DeclSyntax])] = []

    /// The greatest number of types around a type, and of aliases for each other.
    private static let depthLimit = 32

    /// Adds the types of a source.
    mutating func add(_ tree: SourceFileSyntax, file: Int) {
        add(tree.statements.compactMap { $0.item.as(DeclSyntax.self) }, in: [], file: file)
    }

    /// Adds what extensions have to their types; called once, after all sources.
    mutating func finish() {
        for part in extensions {
            guard let path = resolve(part.path, from: []) else { continue }
            types[path]?.inherited += part.inherited
            types[path]?.members += part.members
        }
        extensions = []
    }

    private mutating func add(_ declarations: [DeclSyntax], in outer: [String], file: Int) {
        guard outer.count < Self.depthLimit else { return }
        for declaration in declarations {
            if let config = declaration.as(IfConfigDeclSyntax.self) {
                for clause in PlatformConditions.possibleClauses(of: config) {
                    switch clause.elements {
                    case .statements(let items)?:
                        add(items.compactMap { $0.item.as(DeclSyntax.self) }, in: outer, file: file)
                    case .decls(let members)?: add(members.map(\.decl), in: outer, file: file)
                    default: continue
                    }
                }
            } else {
                add(declaration, in: outer, file: file)
            }
        }
    }

    private mutating func add(_ declaration: DeclSyntax, in outer: [String], file: Int) {
        if let alias = declaration.as(TypeAliasDeclSyntax.self) {
            let path = outer + [alias.name.plainText]
            insert(DeclaredType(kind: .alias, path: path, node: declaration, file: file))
            return
        }
        guard let group = declaration.asProtocol((any DeclGroupSyntax).self) else { return }
        let inherited = group.inheritanceClause?.inheritedTypes.map { $0.type.trimmedDescription } ?? []
        let parts = inherited.flatMap { $0.split(separator: "&") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .map { $0.hasPrefix("Swift.") ? String($0.dropFirst(6)) : $0 }
        let members = group.memberBlock.members.map(\.decl)
        if let part = declaration.as(ExtensionDeclSyntax.self) {
            let path = outer + part.extendedType.trimmedDescription.split(separator: ".").map(String.init)
            extensions.append((path, parts, members))
            add(members, in: path, file: file)
            return
        }
        guard let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name.plainText else { return }
        let kind: DeclaredType.Kind =
            switch declaration.kind {
            case .classDecl: .class
            case .structDecl: .structure
            case .enumDecl: .enumeration
            default: .other
            }
        insert(
            DeclaredType(
                kind: kind, path: outer + [name], node: declaration, file: file, inherited: parts, members: members))
        add(members, in: outer + [name], file: file)
    }

    private mutating func insert(_ type: DeclaredType) {
        guard types[type.path] == nil else { return }
        types[type.path] = type
        order.append(type.path)
    }

    // MARK: Looking up

    /// The path of the type that a name means in a scope, through aliases; nil if no source declares it.
    func resolve(_ name: [String], from scope: [String]) -> [String]? { resolve(name, from: scope, Self.depthLimit) }

    private func resolve(_ name: [String], from scope: [String], _ depth: Int) -> [String]? {
        guard depth > 0, let first = name.first else { return nil }
        for count in stride(from: scope.count, through: 0, by: -1) {
            guard let start = unaliased(Array(scope[..<count]) + [first], depth) else { continue }
            guard name.count > 1 else { return start }
            var path = start
            for part in name.dropFirst() {
                guard let next = unaliased(path + [part], depth) else { return nil }
                path = next
            }
            return path
        }
        return nil
    }

    private func unaliased(_ path: [String], _ depth: Int) -> [String]? {
        guard let type = types[path] else { return nil }
        guard let alias = type.node.as(TypeAliasDeclSyntax.self) else { return path }
        let name = alias.initializer.value.trimmedDescription.split(separator: ".").map(String.init)
        return resolve(name, from: Array(path.dropLast()), depth - 1)
    }

    /// What an alias of a scope stands for, with the scope of its declaration; nil if the name is not one of an alias.
    func aliased(_ name: String, from scope: [String]) -> (type: TypeSyntax, scope: [String])? {
        for count in stride(from: scope.count, through: 0, by: -1) {
            guard let type = types[Array(scope[..<count]) + [name]] else { continue }
            return type.node.as(TypeAliasDeclSyntax.self).map { ($0.initializer.value, Array(scope[..<count])) }
        }
        return nil
    }

    subscript(path: [String]) -> DeclaredType? { types[path] }
}

extension TokenSyntax {
    /// A name without backticks.
    var plainText: String { text.filter { $0 != "`" } }
}

extension ClassDeclSyntax {
    /// Whether it has `@Model`.
    var isModel: Bool { attributes.macro("Model") != nil }
}

extension AttributeListSyntax {
    /// The attribute of a macro of `SwiftData`, written with or without the module.
    func macro(_ name: String) -> AttributeSyntax? {
        lazy.compactMap { $0.as(AttributeSyntax.self) }.first {
            let written = $0.attributeName.trimmedDescription
            return written == name || written == "SwiftData.\(name)"
        }
    }
}
