/// What is to be known of a module's sources together.
package struct ScannedModule: Sendable {
    package let name: String
    package let files: [ScannedFile]
    /// The types by their paths, such as `Outer.Inner`, without extensions.
    private let types: [String: ScannedType]

    package init(name: String, files: [ScannedFile]) {
        (self.name, self.files) = (name, files)
        var types: [String: ScannedType] = [:]
        for file in files { Self.collect(file.types, within: nil, name, into: &types) }
        self.types = types
    }

    private static func collect(
        _ declared: [ScannedType], within outer: String?, _ module: String, into types: inout [String: ScannedType]
    ) {
        for type in declared {
            let path = path(of: type, within: outer, module)
            if type.kind != .extension { types[path] = type }
            collect(type.types, within: path, module, into: &types)
        }
    }

    /// The path of a type, or of what an extension extends, without generic arguments and the module's own name.
    private static func path(of type: ScannedType, within outer: String?, _ module: String) -> String {
        let name = type.kind == .extension ? plainPath(type.name, module) : type.name
        return outer.map { $0 + "." + name } ?? name
    }

    private static func plainPath(_ written: String, _ module: String) -> String {
        var depth = 0
        let plain = written.filter { character in
            if character == "<" { depth += 1 }
            defer { if character == ">" { depth -= 1 } }
            return depth == 0 && !character.isWhitespace
        }
        return plain.hasPrefix(module + ".") ? String(plain.dropFirst(module.count + 1)) : plain
    }

    /// The type with a path.
    package func type(at path: String) -> ScannedType? { types[path] }

    /// All types and extensions of a file with the paths of what they are about, the outer before the inner.
    package func parts(of file: ScannedFile) -> [(path: String, part: ScannedType)] {
        var parts: [(path: String, part: ScannedType)] = []
        func add(_ types: [ScannedType], _ outer: String?) {
            for type in types {
                let path = Self.path(of: type, within: outer, name)
                parts.append((path, type))
                add(type.types, path)
            }
        }
        add(file.types, nil)
        return parts
    }

    /// The path of the superclass that a class names first; nil where it is not one of the module's classes.
    package func superclass(of path: String) -> String? {
        guard let type = types[path], type.kind == .class, let first = type.inherited.first else { return nil }
        let written = Self.plainPath(first, name)
        var scopes = path.split(separator: ".").dropLast().map(String.init)
        while true {
            let candidate = (scopes + [written]).joined(separator: ".")
            if types[candidate]?.kind == .class { return candidate }
            guard scopes.popLast() != nil else { return nil }
        }
    }

    /// The access of a type as seen from outside: that of the most hidden type around it.
    package func access(of path: String) -> SourceAccess {
        var access = SourceAccess.open
        var prefix: [Substring] = []
        for name in path.split(separator: ".") {
            prefix.append(name)
            if let type = types[prefix.joined(separator: ".")] { access = min(access, type.access) }
        }
        return access
    }
}
