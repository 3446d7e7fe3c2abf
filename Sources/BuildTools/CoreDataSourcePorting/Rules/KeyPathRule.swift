import SwiftSyntax

/// `#keyPath(Hero.name)` becomes the text that it stands for: a literal means the same on all systems.
enum KeyPathRule {
    /// Properties that Objective-C knows by another name, and which are not keys of a model.
    private static let renamed: Set = ["isInserted", "isUpdated", "isDeleted", "isFault"]

    /// The key path; nil where it cannot be determined from the text alone.
    static func text(of argument: String, namesOfProperties: [String: String]) -> String? {
        var parts = argument.split(separator: ".", omittingEmptySubsequences: false).map {
            $0.filter { $0 != "`" && $0 != "?" && $0 != "!" && !$0.isWhitespace }
        }
        guard parts.allSatisfy({ isName($0) }) else { return nil }
        // Types come first, and are written with a capital.
        while let first = parts.first, first.first?.isUppercase == true { parts.removeFirst() }
        guard !parts.isEmpty, !parts.contains(where: { renamed.contains($0) || $0 == "self" }) else { return nil }
        return parts.map { namesOfProperties[$0] ?? $0 }.joined(separator: ".")
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
}

extension FilePort {
    mutating func rewriteMacro(_ macro: MacroExpansionExprSyntax) {
        guard let argument = macro.arguments.first?.expression, macro.arguments.count == 1 else { return }
        switch macro.macroName.text {
        case "keyPath":
            guard
                let text = KeyPathRule.text(
                    of: argument.trimmedDescription, namesOfProperties: facts.namesOfProperties)
            else {
                return report(macro, "the key of this #keyPath cannot be told from the source: write it as a text")
            }
            edit(macro.bytes, "\"\(text)\"")
        case "selector": rewriteSelector(macro, argument)
        default: break
        }
    }
}
