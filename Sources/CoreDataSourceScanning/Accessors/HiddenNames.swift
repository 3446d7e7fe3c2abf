/// The types and aliases that only the sources of one file can name.
struct HiddenNames {
    private var aliases: [String: String] = [:]
    private var types: Set<String> = []

    init(_ module: ScannedModule, file path: String) {
        for file in module.files where file.types.first?.place.file == path {
            for (_, part) in module.parts(of: file) where part.access < .internal {
                if case .alias(let type) = part.kind, part.parameters.isEmpty {
                    aliases[part.name] = type
                } else if part.kind != .extension {
                    types.insert(part.name)
                }
            }
        }
    }

    /// A type as another file can write it, with hidden aliases written out.
    func visible(_ type: String) -> String {
        var text = type
        // An alias of an alias of itself is none that compiles.
        for _ in 0..<8 {
            let next = Self.words(of: text).map { aliases[$0] ?? $0 }.joined()
            if next == text { break }
            text = next
        }
        return text
    }

    /// A type in a text that no other file can name; nil if there is none.
    func hiddenType(in text: String) -> String? { Self.words(of: text).first { types.contains($0) } }

    /// A text cut before and behind each name.
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
