import CoreDataInspection

/// The text of `--help`.
enum Help {
    private static let width = 80

    /// What the program can do.
    static func overview(_ commands: [CommandSyntax]) -> String {
        let uses = commands.map { ($0.usage, $0.summary) }
        return """
            Looks into Core Data stores and models, whoever made them.

            Usage: \(Program.name) COMMAND …

            \(uses.map { "  \($0)\n\(wrapped($1, indent: 6))" }.joined(separator: "\n"))

            '\(Program.name) COMMAND --help' tells more. Stores are only read, except by 'set'.
            Exit codes: 0 done, 1 refused or failed, 2 wrong command line.

            """
    }

    /// What one command takes.
    static func text(of syntax: CommandSyntax) -> String {
        var text = "\(wrapped(syntax.summary, indent: 0))\n\nUsage: \(Program.name) \(syntax.usage)\n\n"
        for operand in syntax.operands { text += "  \(operand.name)\n\(wrapped(operand.help, indent: 6))\n" }
        for option in syntax.options {
            text += "  --\(option.name) \(option.value)\n\(wrapped(option.help, indent: 6))\n"
        }
        for paragraph in syntax.details { text += "\n\(wrapped(paragraph, indent: 0))\n" }
        return text
    }

    private static func wrapped(_ text: String, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        var lines = [margin]
        for word in text.split(separator: " ") {
            let line = lines[lines.count - 1]
            let joined = line == margin ? line + word : line + " " + word
            if joined.count <= width || line == margin {
                lines[lines.count - 1] = joined
            } else {
                lines.append(margin + word)
            }
        }
        return lines.joined(separator: "\n")
    }
}

extension CommandSyntax {
    /// `fetch STORE ENTITY [--where FORMAT] …`
    fileprivate var usage: String {
        let words = operands.map { $0.isRepeated ? "\($0.name)…" : $0.name }
        return (name + words + options.map { "[--\($0.name) \($0.value)]" }).joined(separator: " ")
    }
}
