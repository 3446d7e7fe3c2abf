import CoreDataPrinting
import Foundation

/// A page for `man`, in the macros of `man(7)`.
struct ManualPage {
    /// `coredata-model-show`
    let name: String
    /// The page's source.
    let text: String

    /// The file's name in a folder `man1`.
    var fileName: String { name + ".1" }

    /// The page of the program, which lists all commands.
    init(overviewOf commands: [CommandSyntax]) {
        name = Release.name
        var lines = Self.head(name, "looks into Core Data stores and models")
        lines += [".SH SYNOPSIS", ".B \(Release.name)", ".I COMMAND", "\\&...", ".SH DESCRIPTION"]
        lines += Help.overviewParagraphs.flatMap { [".PP", Self.line($0)] }
        lines.append(".SH COMMANDS")
        for command in commands {
            let page = Self.name(of: command)
            lines += [".TP", ".BR \(Self.escaped(page)) (1)", Self.line(command.summary)]
        }
        lines += [".SH EXIT STATUS", Self.line(Help.exitCodes)]
        text = lines.joined(separator: "\n") + "\n"
    }

    /// The page of a command.
    init(_ command: CommandSyntax) {
        name = Self.name(of: command)
        let words = command.name.joined(separator: " ")
        var lines = Self.head(name, command.summary)
        lines += [".SH SYNOPSIS", ".B \(Release.name) \(Self.escaped(words))"]
        for word in command.usageWords { lines.append(Self.line(word)) }
        lines += [".SH DESCRIPTION", Self.line(command.summary)]
        for paragraph in command.details { lines += [".PP", Self.line(paragraph)] }
        if !command.operands.isEmpty { lines.append(".SH OPERANDS") }
        for operand in command.operands {
            lines += [".TP", ".I \(Self.escaped(operand.name))", Self.line(operand.help)]
        }
        if !command.options.isEmpty { lines.append(".SH OPTIONS") }
        for option in command.options {
            lines += [".TP", ".B \(Self.escaped(option.usage))", Self.line(option.help)]
        }
        lines += [".SH SEE ALSO", ".BR \(Release.name) (1)"]
        text = lines.joined(separator: "\n") + "\n"
    }

    private static func name(of command: CommandSyntax) -> String {
        ([Release.name] + command.name).joined(separator: "-")
    }

    private static func head(_ name: String, _ summary: String) -> [String] {
        let title = escaped(name.uppercased())
        var sentence = summary
        if sentence.hasSuffix(".") { sentence.removeLast() }
        return [
            ".TH \"\(title)\" 1 \"\" \"\(Release.name) \(Release.version)\" \"User Commands\"", ".SH NAME",
            "\(escaped(name)) \\- \(escaped(sentence.prefix(1).lowercased() + String(sentence.dropFirst())))",
        ]
    }

    /// A line of text; if it begins with the first character of a formatter request, `\&` is put before it.
    private static func line(_ text: String) -> String {
        let escaped = escaped(text)
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }

    /// Text escaped for the formatter, which must print hyphens as those of a command line.
    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "\\", with: "\\e").replacingOccurrences(of: "-", with: "\\-")
            .replacingOccurrences(of: "…", with: "...")
    }
}
