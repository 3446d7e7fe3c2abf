import CoreDataPrinting
import Foundation

/// The text of `--help`.
enum Help {
    private static let width = 80

    /// The paragraphs about the program as a whole.
    static let overviewParagraphs = [
        "Looks into Core Data stores and models, whichever program made them.",
        "'\(Release.name) COMMAND --help' prints more. Stores are only read, except by 'insert', 'set', 'delete', 'import', 'migrate', "
            + "'history --purge' and 'history --revert', 'reset', which show with --dry-run what they would do, and by "
            + "'vacuum'. A history that a store has records what they change.",
        "--language TAG, such as fr or de-CH, prints results and errors of any command in that language; without it LC_ALL, "
            + "LC_MESSAGES or LANG decide. What csv and json print is the same in all.",
        "'\(Release.name) help CODE' prints causes and remedies of an error whose message ends with a code in brackets.",
    ]

    /// The sentence about the program's exit codes.
    static let exitCodes =
        "Exit codes: 0 done, 1 refused or failed, 2 wrong command line, 3 data would be lost."

    /// The help of the program: its commands with their summaries.
    static func overview(_ commands: [CommandSyntax]) -> String {
        let uses = commands.map { ($0.shortUsage, $0.summary) }
        return """
            \(wrapped(overviewParagraphs[0], indent: 0))

            Usage: \(Release.name) COMMAND …
                   \(Release.name) --version

            \(uses.map { "  \($0)\n\(wrapped($1, indent: 6))" }.joined(separator: "\n"))

            \(wrapped(overviewParagraphs[1], indent: 0))
            \(wrapped(overviewParagraphs[2], indent: 0))
            \(wrapped(overviewParagraphs[3], indent: 0))
            \(wrapped(exitCodes, indent: 0))

            """
    }

    /// The help of a command: its usage, operands and options.
    static func text(of syntax: CommandSyntax) -> String {
        var text = "\(wrapped(syntax.summary, indent: 0))\n\n\(usage(syntax))\n\n"
        for operand in syntax.operands { text += "  \(operand.name)\n\(wrapped(operand.help, indent: 6))\n" }
        for option in syntax.options {
            text += "  \(option.usage)\n\(wrapped(option.help, indent: 6))\n"
        }
        for paragraph in syntax.details { text += "\n\(wrapped(paragraph, indent: 0))\n" }
        return text
    }

    /// The usage in lines of the page's width, which are never broken within an operand or option.
    private static func usage(_ syntax: CommandSyntax) -> String {
        let start = "Usage: \(Release.name) \(syntax.name.joined(separator: " "))"
        var lines = [start]
        for word in syntax.usageWords {
            if lines[lines.count - 1].count + 1 + word.count > width {
                lines.append("         " + word)
            } else {
                lines[lines.count - 1] += " " + word
            }
        }
        return lines.joined(separator: "\n")
    }

    /// A paragraph in lines of the page's width, each indented by a margin.
    static func wrapped(_ text: String, indent: Int) -> String {
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
    /// `fetch STORE ENTITY`; the help of the command lists the options.
    fileprivate var shortUsage: String { (name + operandWords).joined(separator: " ") }

    /// `STORE ENTITY [--where FORMAT] …`
    var usageWords: [String] { operandWords + options.map { "[\($0.usage)]" } }

    private var operandWords: [String] {
        operands.map { operand in
            let word = operand.isRepeated ? "\(operand.name)…" : operand.name
            return operand.isOptional ? "[\(word)]" : word
        }
    }
}

extension Option {
    /// `--where FORMAT`
    var usage: String {
        let names = [letter.map { "-\($0)" }, "--\(name)"].compactMap(\.self).joined(separator: "|")
        return [names, value].compactMap(\.self).joined(separator: " ")
    }
}
