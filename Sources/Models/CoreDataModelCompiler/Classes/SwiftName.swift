/// Tests and writes names from models in Swift sources.
package enum SwiftName {
    /// Whether a name is a Swift identifier, which may need backticks.
    static func isIdentifier(_ name: some StringProtocol) -> Bool {
        guard let first = name.unicodeScalars.first, !["_", "self", "Self"].contains(String(name)) else { return false }
        return (first == "_" || first.properties.isXIDStart)
            && name.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
    }

    /// Whether a text is the name of a class: `Hero`, `Outer.Inner`.
    static func isClass(_ name: String) -> Bool {
        name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { isIdentifier($0) }
    }

    /// Whether a text can be a type only: it consists of names and the punctuation of types.
    static func isType(_ text: String) -> Bool {
        guard text.utf8.count <= 1000 else { return false }
        let isMade = text.unicodeScalars.allSatisfy {
            $0.properties.isXIDContinue || "_.,:?<>[] ".unicodeScalars.contains($0)
        }
        return isMade && text.unicodeScalars.contains { $0.properties.isXIDStart } && !text.hasSuffix("?")
    }

    /// A property's name as a source writes it.
    package static func escaped(_ name: String) -> String { reserved.contains(name) ? "`\(name)`" : name }

    /// A class's name as a source writes it.
    package static func escapedPath(_ name: String) -> String {
        name.split(separator: ".").map { escaped(String($0)) }.joined(separator: ".")
    }

    /// The name with a capital first letter, as in `addToPowers`.
    package static func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

    /// A Swift string literal for a text, with quotes, backslashes and control characters escaped.
    package static func literal(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F || scalar.properties.isWhitespace && scalar != " ":
                "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }

    /// The keywords that need backticks as names of declarations or members.
    private static let reserved: Set<String> = [
        "Any", "Protocol", "Self", "Type", "actor", "as", "associatedtype", "await", "break", "case", "catch", "class",
        "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
        "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
        "open", "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
        "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias",
        "var",
        "where", "while",
    ]
}
