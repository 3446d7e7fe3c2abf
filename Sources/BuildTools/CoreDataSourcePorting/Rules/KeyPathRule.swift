import SwiftSyntax

/// Replaces `#keyPath(Hero.name)` with a string literal of the key path, which compiles on all systems.
enum KeyPathRule {
    /// Properties whose Objective-C names differ and that are not attributes or relationships of a model.
    private static let renamed: Set = ["isInserted", "isUpdated", "isDeleted", "isFault"]

    /// The key path of a `#keyPath` argument; nil if the text alone does not determine it.
    static func text(of argument: String, namesOfProperties: [String: String]) -> String? {
        var parts = argument.split(separator: ".", omittingEmptySubsequences: false).map {
            $0.filter { $0 != "`" && $0 != "?" && $0 != "!" && !$0.isWhitespace }
        }
        guard parts.allSatisfy({ isName($0) }) else { return nil }
        // The leading components that begin with a capital letter are types.
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
