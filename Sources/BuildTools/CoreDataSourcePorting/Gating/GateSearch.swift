import SwiftSyntax

/// The parts of one source that need modules of some of Apple's systems.
struct GateSearch {
    private let uses: [NameUse]
    private let declarations: [(key: GatedNames.Key, place: Int)]
    private let imports: Set<String>
    /// The declared types of the source's variables and parameters.
    let variables: VariableTypes
    /// The parts to put behind conditions by their byte ranges, none inside another, with the modules that each needs.
    private(set) var parts: [Range<Int>: (node: Syntax, modules: Set<String>)] = [:]
    /// The uses of names for which `GateChoice` finds no part to put behind a condition, each with a module that it
    /// needs.
    private(set) var untaken: [(use: NameUse, module: String)] = []

    /// Collects the declarations and uses of names in a source; `imports` are the modules of Apple's that it imports.
    init(_ tree: SourceFileSyntax, imports: Set<String>) {
        var uses: [NameUse] = []
        var declarations: [(key: GatedNames.Key, place: Int)] = []
        var variables = VariableTypes()
        SyntaxWalk.visit(tree) { node, surroundings in
            if node.is(ImportDeclSyntax.self) { return false }
            variables.add(node)
            if let token = node.as(TokenSyntax.self) {
                NameUse(token, in: surroundings.type).map { uses.append($0) }
            } else if !surroundings.isLocal {
                let place = node.positionAfterSkippingLeadingTrivia.utf8Offset
                for name in node.as(DeclSyntax.self)?.declaredNames ?? [] {
                    declarations.append((GatedNames.Key(type: surroundings.type, name: name), place))
                }
            }
            return true
        }
        (self.uses, self.declarations, self.imports, self.variables) = (uses, declarations, imports, variables)
    }

    // MARK: Parts

    /// Finds the parts that use names of Apple's modules, or names in `names`, which are declared behind conditions.
    ///
    /// `declared` are the types that the sources declare: their names never count as names of Apple's modules.
    mutating func find(_ names: GatedNames, declared: Set<String>, _ variables: VariableTypes) {
        untaken = []
        for use in uses {
            let place = use.token.positionAfterSkippingLeadingTrivia.utf8Offset
            guard let needed = modules(for: use, names, declared: declared, variables: variables),
                !ConformanceRule.isSeenTo(use.token)
            else {
                continue
            }
            if let range = parts.keys.first(where: { $0.contains(place) }) {
                parts[range]?.modules.formUnion(needed)
            } else if let node = GateChoice.part(around: use.token) {
                add(node, needed)
            } else if let module = needed.sorted().first {
                untaken.append((use, module))
            }
        }
    }

    private func modules(
        for use: NameUse, _ names: GatedNames, declared: Set<String>, variables: VariableTypes
    ) -> Set<String>? {
        if !declared.contains(use.name), let module = AppleModules.owner(of: use.name, among: imports) {
            return [module]
        }
        return names.modules(for: use, variables)
    }

    private mutating func add(_ node: Syntax, _ modules: Set<String>) {
        let range = node.bytes
        var needed = modules
        for inner in parts.keys where range.contains(inner.lowerBound) {
            needed.formUnion(parts.removeValue(forKey: inner)?.modules ?? [])
        }
        parts[range] = (node, needed)
    }

    // MARK: Names

    /// Adds the names that are declared inside the parts, with the modules that the parts need.
    func addGated(to names: inout GatedNames) {
        for (key, place) in declarations {
            guard let part = parts.first(where: { $0.key.contains(place) }) else { continue }
            names.add(key, part.value.modules)
        }
    }

    /// Removes the names that are declared outside the parts, since they exist on all systems.
    func removeOthers(from names: inout GatedNames) {
        for (key, place) in declarations where !parts.keys.contains(where: { $0.contains(place) }) { names.remove(key) }
    }
}
