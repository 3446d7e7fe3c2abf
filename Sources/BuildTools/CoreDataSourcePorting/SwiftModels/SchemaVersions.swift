import SwiftSyntax

/// The model classes of some sources by the versions that their `VersionedSchema` types name.
struct SchemaVersions {
    struct Version {
        /// Nil for the classes that no version names.
        let name: String?
        /// Three numbers.
        let number: [Int]
        let classes: [ModelClass]
    }

    /// The versions by their numbers; classes that no version names come last.
    private(set) var versions: [Version] = []

    init(_ classes: [ModelClass], _ types: DeclaredTypes) {
        let byPath = Dictionary(classes.map { ($0.path, $0) }) { first, _ in first }
        var named: Set<[String]> = []
        for type in types.order.compactMap({ types[$0] }) where type.inherited.contains("VersionedSchema") {
            let paths = Self.closure(of: Self.models(of: type, types), byPath)
            guard !paths.isEmpty else { continue }
            named.formUnion(paths)
            let members = classes.filter { paths.contains($0.path) }
            versions.append(
                Version(name: type.path.joined(separator: "."), number: Self.number(of: type), classes: members))
        }
        versions.sort { $0.number.lexicographicallyPrecedes($1.number) }
        let others = classes.filter { !named.contains($0.path) }
        if !others.isEmpty { versions.append(Version(name: nil, number: [1, 0, 0], classes: others)) }
    }

    /// The classes that `models` of a version lists.
    private static func models(of type: DeclaredType, _ types: DeclaredTypes) -> [[String]] {
        guard let variable = variable("models", of: type) else { return [] }
        var paths: [[String]] = []
        SyntaxWalk.visitAll(variable) { node in
            guard let access = node.as(MemberAccessExprSyntax.self), access.declName.baseName.text == "self",
                let name = access.base?.trimmedDescription.split(separator: ".").map(String.init),
                let path = types.resolve(name, from: type.path), types[path]?.isModel == true
            else { return }
            paths.append(path)
        }
        return paths
    }

    private static func variable(_ name: String, of type: DeclaredType) -> VariableDeclSyntax? {
        type.members.lazy.compactMap { $0.as(VariableDeclSyntax.self) }
            .first { $0.bindings.first?.pattern.trimmedDescription == name }
    }

    private static func number(of type: DeclaredType) -> [Int] {
        var numbers: [Int] = []
        guard let variable = variable("versionIdentifier", of: type) else { return [1, 0, 0] }
        SyntaxWalk.visitAll(variable) { node in
            guard let call = node.as(FunctionCallExprSyntax.self), numbers.isEmpty, call.arguments.count == 3 else {
                return
            }
            numbers = call.arguments.compactMap { SourceValue.integer($0.expression) }
        }
        return numbers.count == 3 ? numbers : [1, 0, 0]
    }

    /// Some classes and those that they are related to or inherit from.
    private static func closure(of paths: [[String]], _ classes: [[String]: ModelClass]) -> Set<[String]> {
        var found: Set<[String]> = []
        var waiting = paths
        while let path = waiting.popLast() {
            guard let model = classes[path], found.insert(path).inserted else { continue }
            waiting += model.parent.map { [$0] } ?? []
            for variable in model.variables {
                switch variable.type.kind {
                case .toOne(let target), .toMany(let target): waiting.append(target)
                default: continue
                }
            }
        }
        return found
    }
}
