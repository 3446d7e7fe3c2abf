import CoreDataPrinting
import Foundation

/// The completion script for bash: a function that bash calls for each word.
struct BashCompletion {
    let text: String

    init(_ commands: [CommandSyntax]) {
        let words = CompletionWords(commands: commands)
        var lines = [
            "# bash completion for \(Release.name)",
            "_\(Release.name)()",
            "{",
            "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}",
            "    COMPREPLY=()",
            "    if [[ $COMP_CWORD -eq 1 ]]; then",
            "        COMPREPLY=($(compgen -W \(Self.list(words.first.map(\.word) + ["--help", "--version"])) -- \"$cur\"))",
            "        return",
            "    fi",
        ]
        for group in words.groups {
            lines += [
                "    if [[ $command == \(group.name) ]]; then",
                "        if [[ $COMP_CWORD -eq 2 ]]; then",
                "            COMPREPLY=($(compgen -W \(Self.list(group.members.map(\.word))) -- \"$cur\"))",
                "            return",
                "        fi",
                "        command+=\" ${COMP_WORDS[2]}\"",
                "    fi",
            ]
        }
        lines += ["    case \"$command $prev\" in"]
        for command in commands {
            for option in command.options where !option.choices.isEmpty {
                let patterns = option.words.map { "\"\(command.name.joined(separator: " ")) \($0)\"" }
                lines += [
                    "        \(patterns.joined(separator: "|")))",
                    "            COMPREPLY=($(compgen -W \(Self.list(option.choices)) -- \"$cur\")); return ;;",
                ]
            }
        }
        lines += ["    esac", "    [[ $cur == -* ]] || return", "    case $command in"]
        for command in commands {
            let options = command.options.map { "--" + $0.name } + ["--help"]
            lines += [
                "        \"\(command.name.joined(separator: " "))\")",
                "            COMPREPLY=($(compgen -W \(Self.list(options)) -- \"$cur\")) ;;",
            ]
        }
        // `-o default` completes files if the function has no candidates.
        lines += ["    esac", "}", "complete -o default -F _\(Release.name) \(Release.name)"]
        text = lines.joined(separator: "\n") + "\n"
    }

    private static func list(_ words: [String]) -> String { CompletionWords.quoted(words.joined(separator: " ")) }
}
