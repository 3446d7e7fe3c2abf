import SwiftSyntax

/// The facts about all sources together that the rules need.
struct SourceFacts {
    /// The initializers that a class declares in its body.
    struct Initializers {
        /// Whether one of them is `init(entity:insertInto:)`.
        var hasInserting = false
        /// Whether one of them calls an initializer of the superclass, so that none of the superclass's are inherited.
        var hasDesignated = false
    }

    /// The first of the types that a class inherits from, by the class's name.
    private var superclasses: [String: String] = [:]
    private(set) var initializers: [String: Initializers] = [:]
    /// The Objective-C names of properties that `@objc(name)` renames, keyed by their Swift names.
    private(set) var namesOfProperties: [String: String] = [:]
    /// The names of the type aliases that the sources declare.
    private(set) var aliases: Set<String> = []

    /// The paths of the files that declare a class, keyed by its name.
    private(set) var classFiles: [String: [String]] = [:]
    /// All types that the sources declare.
    private(set) var types: Set<String> = []
    /// The modules that declare public types with names that Foundation uses too, keyed by these names.
    private var publicTypes: [String: Set<String>] = [:]
    /// The folders of the modules that declare such a type with any access level.
    private var ownTypes: [String: Set<String>] = [:]
    /// The members that a class overrides, by its name.
    private var overrides: [String: Set<String>] = [:]
    /// The folders of modules in which a source imports the library.
    private(set) var libraryFolders: Set<String> = []

    /// The maximum number of superclasses that are followed.
    private static let chainLimit = 64

    /// Adds the facts in a source with a path, which belongs to the module in a folder.
    mutating func add(_ tree: SourceFileSyntax, path: String, folder: URL) {
        addFoundationNames(in: tree, folder)
        SyntaxWalk.visitAll(tree) { node in
            switch node.as(SyntaxEnum.self) {
            case .classDecl(let type): add(type, path)
            case .structDecl(let type): types.insert(type.name.text)
            case .enumDecl(let type): types.insert(type.name.text)
            case .actorDecl(let type): types.insert(type.name.text)
            case .protocolDecl(let type): types.insert(type.name.text)
            case .typeAliasDecl(let alias):
                aliases.insert(alias.name.text)
                types.insert(alias.name.text)
            case .variableDecl(let variable): add(variable)
            case .functionDecl(let function):
                if function.modifiers.isOverride { addOverride(of: function.name.text, in: Syntax(function)) }
            case .initializerDecl(let initializer): add(initializer)
            case .importDecl(let declaration):
                if declaration.path.first?.name.text == "CoreData" { libraryFolders.insert(folder.path) }
            default: break
            }
        }
    }

    /// Names of Foundation types that other libraries often declare too.
    private static let foundationNames: Set = ["Predicate", "SortDescriptor"]

    private mutating func addFoundationNames(in tree: SourceFileSyntax, _ folder: URL) {
        for item in tree.statements {
            guard let declaration = item.item.as(DeclSyntax.self), let name = declaration.declaredNames.first,
                Self.foundationNames.contains(name), !declaration.is(VariableDeclSyntax.self),
                !declaration.is(FunctionDeclSyntax.self), !declaration.is(ExtensionDeclSyntax.self)
            else { continue }
            ownTypes[name, default: []].insert(folder.path)
            let modifiers = declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers
            if modifiers?.contains(where: { ["public", "open"].contains($0.name.text) }) == true {
                publicTypes[name, default: []].insert(folder.lastPathComponent)
            }
        }
    }

    /// The only imported module that declares a public type with a name that Foundation uses too. Nil if several do, or
    /// if the module of the source or any alias declares the name.
    func foreignOwner(of name: String, among imports: Set<String>, outside folder: URL) -> String? {
        guard let owners = publicTypes[name]?.intersection(imports), owners.count == 1,
            ownTypes[name]?.contains(folder.path) != true, !aliases.contains(name)
        else { return nil }
        return owners.first
    }

    private mutating func addOverride(of name: String, in node: Syntax) {
        let outer = node.enclosingType
        let type = outer?.as(ClassDeclSyntax.self)?.name.text ?? outer?.as(ExtensionDeclSyntax.self)?.extendedClass
        if let type { overrides[type, default: []].insert(name) }
    }

    /// Whether a subclass of a class overrides a member.
    func isOverridden(_ member: String, of type: String) -> Bool {
        overrides.contains { $0.value.contains(member) && superclasses(of: $0.key).contains(type) }
    }

    private mutating func add(_ type: ClassDeclSyntax, _ path: String) {
        types.insert(type.name.text)
        classFiles[type.name.text, default: []].append(path)
        guard let first = type.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription else { return }
        superclasses[type.name.text] = first.split(separator: ".").last.map(String.init) ?? first
    }

    private mutating func add(_ variable: VariableDeclSyntax) {
        if variable.modifiers.isOverride, let name = variable.bindings.first?.pattern.trimmedDescription {
            addOverride(of: name, in: Syntax(variable))
        }
        guard let name = variable.attributes.objectiveCName, variable.bindings.count == 1,
            let own = variable.bindings.first?.pattern.trimmedDescription, own != name
        else { return }
        namesOfProperties[own] = name
    }

    private mutating func add(_ initializer: InitializerDeclSyntax) {
        guard let type = initializer.enclosingType?.as(ClassDeclSyntax.self)?.name.text else { return }
        var known = initializers[type] ?? Initializers()
        if initializer.isInserting { known.hasInserting = true }
        if !initializer.modifiers.contains(where: { $0.name.tokenKind == .keyword(.convenience) }) {
            known.hasDesignated = true
        }
        initializers[type] = known
    }

    /// Whether a class inherits from `NSManagedObject`.
    func isManaged(_ name: String) -> Bool { superclasses(of: name).contains("NSManagedObject") }

    /// Whether a class inherits from `NSEntityMigrationPolicy`.
    func isMigrationPolicy(_ name: String) -> Bool { superclasses(of: name).contains("NSEntityMigrationPolicy") }

    /// The superclasses of a class, the nearest first.
    func superclasses(of name: String) -> [String] {
        var names: [String] = []
        var next = superclasses[name]
        while let name = next, names.count < Self.chainLimit {
            names.append(name)
            next = superclasses[name]
        }
        return names
    }
}
