/// The names that are valid in one file or one type only: private types and aliases, types inside others, and
/// declarations that a file imports by name.
struct HiddenNames {
    private var aliases: [String: String] = [:]
    private var types: Set<String> = []
    private let substitutes: [String: String]
    /// The paths of all types and aliases of the module.
    private let paths: Set<String>

    /// `substitutes` maps each hidden class to its nearest superclass that other files can name, which replaces it in
    /// the types of accessors.
    init(_ module: ScannedModule, file path: String, substitutes: [String: String] = [:]) {
        self.substitutes = substitutes
        paths = Set(
            module.files.flatMap { file in
                module.parts(of: file).filter { $0.part.kind != .extension }.map(\.path)
            })
        for file in module.files where file.types.first?.place.file == path {
            for case (let owner, let name)? in file.imports.map(ScannedFile.declaration) {
                aliases[name] = "\(owner).\(name)"
            }
            var hidden: [String] = []
            for (path, part) in module.parts(of: file) {
                let isInside = hidden.contains { path.hasPrefix($0 + ".") }
                guard part.access < .internal || isInside else { continue }
                if part.kind != .extension { hidden.append(path) }
                if case .alias(let type) = part.kind, part.parameters.isEmpty {
                    aliases[part.name] = type
                } else if part.kind != .extension {
                    types.insert(part.name)
                }
            }
        }
    }

    /// The type of a class member as an extension of the class in another file can write it.
    ///
    /// Hidden aliases are replaced by their types. A type declared in an outer type of the class is qualified with the
    /// outer type's name: an extension of the class sees types inside the class, but not those around it.
    func visible(_ type: String, within path: String) -> String {
        let outer = path.split(separator: ".").dropLast()
        guard !outer.isEmpty else { return visible(type) }
        var before = ""
        let text = Self.words(of: type).map { word in
            defer { before = word }
            return before == "." || paths.contains("\(path).\(word)") ? word : qualified(word, outer)
        }.joined()
        return visible(text)
    }

    private func qualified(_ word: String, _ outer: ArraySlice<Substring>) -> String {
        var scope = outer
        while !scope.isEmpty {
            let candidate = (scope + [Substring(word)]).joined(separator: ".")
            if paths.contains(candidate), !types.contains(word), aliases[word] == nil {
                return SwiftName.escapedPath(candidate)
            }
            scope.removeLast()
        }
        return word
    }

    /// A type as another file can write it: hidden aliases are replaced by their types, hidden classes by substitutes.
    private func visible(_ type: String) -> String {
        var text = type
        // The limit ends the loop for cyclic aliases, which the compiler reports.
        for _ in 0..<8 {
            var before = ""
            let next = Self.words(of: text).map { word in
                defer { before = word }
                // A name after a dot is a member of the name before the dot, so it is not an alias of the module.
                return before == "." ? word : aliases[word] ?? word
            }.joined()
            if next == text { break }
            text = next
        }
        let name = text.last.map { "?!".contains($0) } == true ? String(text.dropLast()) : text
        guard types.contains(name), let substitute = substitutes[name] else { return text }
        return substitute + text.dropFirst(name.count)
    }

    /// The first type in a text that other files cannot name; nil if there is none.
    func hiddenType(in text: String) -> String? { Self.words(of: text).first { types.contains($0) } }

    /// Splits a text before and after each name.
    private static func words(of text: String) -> [String] {
        var words: [String] = []
        var isName = false
        for character in text {
            let continues = character.isLetter || character.isNumber || character == "_"
            if words.isEmpty || continues != isName || !continues {
                words.append(String(character))
            } else {
                words[words.count - 1].append(character)
            }
            isName = continues
        }
        return words
    }
}
