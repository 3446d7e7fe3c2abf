/// The scanned sources of a module.
package struct ScannedModule: Sendable {
    package let name: String
    package let files: [ScannedFile]

    package init(name: String, files: [ScannedFile]) { (self.name, self.files) = (name, files) }

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

    /// All types, aliases and extensions of a file, each with the path of the type or extended type, outer ones first.
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

    /// The module without its types' members, for modules that only name the types.
    var withoutMembers: ScannedModule {
        func strip(_ type: ScannedType) -> ScannedType {
            var plain = type
            (plain.properties, plain.methods, plain.keyed) = ([], [], KeyedMembers())
            plain.types = type.types.map(strip)
            return plain
        }
        return ScannedModule(
            name: name,
            files: files.map { file in
                var plain = file
                plain.types = file.types.map(strip)
                return plain
            })
    }
}
