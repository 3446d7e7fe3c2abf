import CoreDataPrinting
import Foundation

/// The completion script for fish: a line for each candidate word and its condition.
struct FishCompletion {
    let text: String

    init(_ commands: [CommandSyntax]) {
        let words = CompletionWords(commands: commands)
        let all = words.first.map(\.word).joined(separator: " ")
        var lines: [String] = []
        for first in words.first {
            lines.append(
                "complete -c \(Release.name) -f -n \(CompletionWords.quoted("not __fish_seen_subcommand_from \(all)")) "
                    + "-a \(first.word) -d \(CompletionWords.quoted(first.help))")
        }
        for group in words.groups {
            let members = group.members.map(\.word).joined(separator: " ")
            let condition = "__fish_seen_subcommand_from \(group.name); and not __fish_seen_subcommand_from \(members)"
            for member in group.members {
                lines.append(
                    "complete -c \(Release.name) -f -n \(CompletionWords.quoted(condition)) -a \(member.word) "
                        + "-d \(CompletionWords.quoted(member.help))")
            }
        }
        for command in commands {
            let condition = command.name.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
            for option in command.options {
                var line = "complete -c \(Release.name) -n \(CompletionWords.quoted(condition)) -l \(option.name)"
                if let letter = option.letter { line += " -s \(letter)" }
                if option.value != nil { line += option.choices.isEmpty ? " -r" : " -x" }
                if !option.choices.isEmpty {
                    line += " -a \(CompletionWords.quoted(option.choices.joined(separator: " ")))"
                }
                lines.append(line + " -d \(CompletionWords.quoted(CompletionWords.short(option.help)))")
            }
        }
        text = lines.joined(separator: "\n") + "\n"
    }
}
