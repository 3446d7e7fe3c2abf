import Foundation

/// The words that shells complete, from the syntaxes of the commands.
struct CompletionWords {
    let commands: [CommandSyntax]

    /// The first words of commands, each with the command's summary, or a sentence about the group of commands.
    var first: [(word: String, help: String)] {
        var seen: Set<String> = []
        return commands.compactMap { command in
            guard seen.insert(command.name[0]).inserted else { return nil }
            let isGroup = command.name.count > 1
            return (command.name[0], isGroup ? "Commands about a \(command.name[0])." : command.summary)
        }
    }

    /// The groups of commands, each with the second words of its commands.
    var groups: [(name: String, members: [(word: String, help: String)])] {
        first.compactMap { group in
            let members = commands.filter { $0.name.count > 1 && $0.name[0] == group.word }
            return members.isEmpty ? nil : (group.word, members.map { ($0.name[1], $0.summary) })
        }
    }

    /// A text in single quotes for a shell.
    static func quoted(_ text: String) -> String { "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'" }

    /// The first sentence of an option's help.
    static func short(_ help: String) -> String {
        let end = help.firstRange(of: ". ")?.lowerBound ?? help.firstRange(of: ";")?.lowerBound ?? help.endIndex
        return String(help[..<end])
    }
}

extension Option {
    /// The option as it is typed: `--name`, and `-n` if it has a letter.
    var words: [String] { ["--" + name] + (letter.map { ["-" + $0] } ?? []) }
}
