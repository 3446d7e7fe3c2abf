import CoreDataModelCompiler
import SwiftSyntax

/// Reads types of variables as the library's macros and schemas understand them.
struct TypeReading {
    let types: DeclaredTypes
    /// The greatest nesting of structures in structures and of optionals.
    private static let depthLimit = 16

    static let simpleTypes: [String: NSAttributeType] = [
        "Int": .integer64AttributeType, "Int16": .integer16AttributeType, "Int32": .integer32AttributeType,
        "Int64": .integer64AttributeType, "Bool": .booleanAttributeType, "Double": .doubleAttributeType,
        "TimeInterval": .doubleAttributeType, "Float": .floatAttributeType, "String": .stringAttributeType,
        "Date": .dateAttributeType, "Data": .binaryDataAttributeType, "UUID": .UUIDAttributeType,
        "URL": .URIAttributeType, "Decimal": .decimalAttributeType,
    ]

    /// Reads a type in a scope.
    func read(_ type: TypeSyntax, in scope: [String]) -> SourceType { read(type, in: scope, Self.depthLimit) }

    private func read(_ type: TypeSyntax, in scope: [String], _ depth: Int) -> SourceType {
        guard depth > 0 else { return SourceType(kind: .unknown("its type is nested too deep"), isOptional: false) }
        switch type.as(TypeSyntaxEnum.self) {
        case .optionalType(let type):
            return SourceType(kind: read(type.wrappedType, in: scope, depth - 1).kind, isOptional: true)
        case .implicitlyUnwrappedOptionalType(let type):
            return SourceType(kind: read(type.wrappedType, in: scope, depth - 1).kind, isOptional: true)
        case .arrayType(let type):
            return SourceType(kind: collection(of: type.element, in: scope, depth), isOptional: false)
        case .dictionaryType: return SourceType(kind: .encoded, isOptional: false)
        case .identifierType(let name): return named(name, in: scope, depth)
        case .memberType(let member):
            let names = member.trimmedDescription.split(separator: ".").map(String.init)
            if let first = names.first, ["Swift", "Foundation"].contains(first), names.count == 2,
                let simple = Self.simpleTypes[names[1]]
            {
                return SourceType(kind: .simple(simple), isOptional: false)
            }
            return SourceType(kind: declared(names, in: scope, depth), isOptional: false)
        case .attributedType(let type): return read(type.baseType, in: scope, depth - 1)
        default:
            return SourceType(
                kind: .unknown("no attribute can have the type \(type.trimmedDescription)"), isOptional: false)
        }
    }

    private func named(_ type: IdentifierTypeSyntax, in scope: [String], _ depth: Int) -> SourceType {
        let name = type.name.plainText
        let arguments = type.genericArgumentClause?.arguments.compactMap { $0.argument.as(TypeSyntax.self) } ?? []
        switch (name, arguments.count) {
        case ("Optional", 1): return SourceType(kind: read(arguments[0], in: scope, depth - 1).kind, isOptional: true)
        case ("Array", 1): return SourceType(kind: collection(of: arguments[0], in: scope, depth), isOptional: false)
        case ("Set", 1), ("Dictionary", 2): return SourceType(kind: .encoded, isOptional: false)
        default: break
        }
        if let alias = types.aliased(name, from: scope) { return read(alias.type, in: alias.scope, depth - 1) }
        if types.resolve([name], from: scope) == nil, arguments.isEmpty, let simple = Self.simpleTypes[name] {
            return SourceType(kind: .simple(simple), isOptional: false)
        }
        return SourceType(kind: declared([name], in: scope, depth), isOptional: false)
    }

    private func collection(of element: TypeSyntax, in scope: [String], _ depth: Int) -> SourceKind {
        let inner = read(element, in: scope, depth - 1)
        switch inner.kind {
        case .toOne(let path):
            return inner.isOptional ? .unknown("a list of optional models is no relationship") : .toMany(path)
        case .simple: return inner.isOptional ? .encoded : .list(element.trimmedDescription)
        case .toMany, .unknown: return inner.kind
        case .list, .encoded, .composite: return .encoded
        }
    }

    // MARK: Declared types

    private func declared(_ names: [String], in scope: [String], _ depth: Int) -> SourceKind {
        let written = names.joined(separator: ".")
        guard let path = types.resolve(names, from: scope), let type = types[path] else {
            return .unknown(
                "the type \(written) is not declared in these sources: give the file or folder that declares it too")
        }
        if type.isModel { return .toOne(path) }
        guard type.isCodable else {
            return .unknown("no attribute can have the type \(written): make it Codable, or the variable @Transient")
        }
        switch type.kind {
        case .enumeration: return enumeration(type)
        case .structure: return structure(type, depth)
        case .class: return .encoded
        default: return .unknown("no attribute can have the type \(written)")
        }
    }

    private func enumeration(_ type: DeclaredType) -> SourceKind {
        if let raw = type.inherited.first.flatMap({ Self.simpleTypes[$0] }) {
            return .composite(raw: raw, name: type.name)
        }
        let cases = type.members.compactMap { $0.as(EnumCaseDeclSyntax.self) }.flatMap(\.elements)
        if let first = cases.first(where: { $0.parameterClause != nil }) {
            return .unknown(
                "the case '\(first.name.plainText)' of \(type.name) has associated values, whose columns sources do not show"
            )
        }
        let elements = cases.map {
            SourceComposite.Element(name: $0.name.plainText, kind: .simple(.stringAttributeType), isOptional: true)
        }
        return .composite(SourceComposite(name: type.name, isEnumeration: true, elements: elements))
    }

    private func structure(_ type: DeclaredType, _ depth: Int) -> SourceKind {
        guard type.node.as(StructDeclSyntax.self)?.genericParameterClause == nil else {
            return .unknown("the members of the generic type \(type.name) are not known")
        }
        let variables = type.members.compactMap { $0.as(VariableDeclSyntax.self) }.filter(\.isStoredInObject)
        let isRaw = type.inherited.contains { ["RawRepresentable", "OptionSet"].contains($0) }
        var elements: [SourceComposite.Element] = []
        for variable in variables {
            for (name, found) in members(of: variable, in: type.path, depth) {
                if isRaw, name == "rawValue", case .simple(let raw) = found.kind {
                    return .composite(raw: raw, name: type.name)
                }
                if case .unknown(let reason) = found.kind { return .unknown("in \(type.name).\(name), \(reason)") }
                elements.append(.init(name: name, kind: found.kind, isOptional: found.isOptional))
            }
        }
        // A structure without stored properties has no columns, so that its encoded form is stored.
        guard !elements.isEmpty else { return .encoded }
        return .composite(SourceComposite(name: type.name, isEnumeration: false, elements: elements))
    }

    /// The names and types of a declaration; in `var x, y: Double` the type is that of both.
    private func members(
        of variable: VariableDeclSyntax, in scope: [String], _ depth: Int
    ) -> [(name: String, type: SourceType)] {
        var last: SourceType?
        var found: [(name: String, type: SourceType)] = []
        for binding in variable.bindings.reversed() {
            guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText else { continue }
            if let type = binding.typeAnnotation?.type {
                last = read(type, in: scope, depth - 1)
            } else if let value = binding.initializer?.value {
                last = TypeInference(reading: self, scope: scope).type(of: value)
            }
            found.append((name, last ?? SourceType(kind: .unknown("its type is not written"), isOptional: false)))
        }
        return found.reversed()
    }
}

extension SourceKind {
    fileprivate static func composite(raw: NSAttributeType, name: String) -> SourceKind {
        .composite(
            SourceComposite(
                name: name, isEnumeration: true, elements: [.init(name: nil, kind: .simple(raw), isOptional: true)]))
    }
}

extension VariableDeclSyntax {
    /// Whether each object stores a value: it is neither computed nor `static`.
    var isStoredInObject: Bool {
        let isOfType = modifiers.contains { ["static", "class"].contains($0.name.text) }
        return !isOfType && bindings.allSatisfy { $0.accessorBlock?.isObserving ?? true }
    }
}

extension AccessorBlockSyntax {
    /// Whether it has `willSet` or `didSet` alone.
    var isObserving: Bool {
        guard case .accessors(let list) = accessors else { return false }
        return list.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    }
}
