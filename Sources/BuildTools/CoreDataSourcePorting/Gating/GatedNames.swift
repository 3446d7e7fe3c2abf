/// What is declared for some of Apple's systems only, with the modules that it needs.
struct GatedNames: Equatable {
    /// A declaration by the type that it is a member of, if any, and its name.
    struct Key: Hashable {
        let type: String?
        let name: String
    }

    private var modules: [Key: Set<String>] = [:]

    /// Adds a declaration.
    mutating func add(_ key: Key, _ needed: Set<String>) { modules[key, default: []].formUnion(needed) }

    /// Leaves out what is declared for all systems too.
    mutating func remove(_ key: Key) { modules[key] = nil }

    /// The modules that a use of a name needs; nil where it is not known to need any.
    ///
    /// A member of a variable is one of the types that the variable may have.
    func modules(for use: NameUse, _ variables: VariableTypes) -> Set<String>? {
        switch use.kind {
        case .plain:
            modules[Key(type: nil, name: use.name)] ?? use.type.flatMap { modules[Key(type: $0, name: use.name)] }
        case .member(let base):
            ["self", "Self", "super"].contains(base)
                ? use.type.flatMap { modules[Key(type: $0, name: use.name)] }
                : modules[Key(type: base, name: use.name)]
                    ?? variables.types(of: base).lazy.compactMap { modules[Key(type: $0, name: use.name)] }.first
        }
    }
}
