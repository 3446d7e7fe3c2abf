/// The names that are declared only behind conditions of Apple's modules, with the modules that each needs.
struct GatedNames: Equatable {
    /// A declaration by the type that it is a member of, if any, and its name.
    struct Key: Hashable {
        let type: String?
        let name: String
    }

    private var modules: [Key: Set<String>] = [:]

    /// Adds a declaration.
    mutating func add(_ key: Key, _ needed: Set<String>) { modules[key, default: []].formUnion(needed) }

    /// Removes a name that is also declared for all systems.
    mutating func remove(_ key: Key) { modules[key] = nil }

    /// The modules that a use of a name needs; nil if the name is not known to need any.
    ///
    /// A member of a variable is looked up in each type that the variable may have.
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
