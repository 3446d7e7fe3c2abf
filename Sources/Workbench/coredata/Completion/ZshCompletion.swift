import CoreDataPrinting
import Foundation

/// The completion script for zsh: a file `_coredata` for a folder of `fpath`.
struct ZshCompletion {
    let text: String

    init(_ commands: [CommandSyntax]) {
        let words = CompletionWords(commands: commands)
        var lines = [
            "#compdef \(Release.name)", "_\(Release.name)() {", "    local -a names", "    local command=${words[2]}",
            "    if (( CURRENT == 2 )); then", "        names=(\(Self.pairs(words.first)))",
            "        _describe command names", "        return", "    fi",
        ]
        for group in words.groups {
            lines += [
                "    if [[ $command == \(group.name) ]]; then",
                "        if (( CURRENT == 3 )); then", "            names=(\(Self.pairs(group.members)))",
                "            _describe command names", "            return", "        fi",
                "        command+=\" ${words[3]}\"", "        shift words", "        (( CURRENT-- ))", "    fi",
            ]
        }
        lines += ["    shift words", "    (( CURRENT-- ))", "    case $command in"]
        for command in commands {
            lines.append("        \(CompletionWords.quoted(command.name.joined(separator: " "))))")
            let options = command.options.flatMap { option in option.words.map { Self.argument($0, option) } }
            lines.append(
                "            _arguments " + (options + ["'*:file:_files'"]).joined(separator: " \\\n                ")
                    + " ;;")
        }
        lines += ["        *) _files ;;", "    esac", "}", "_\(Release.name) \"$@\""]
        text = lines.joined(separator: "\n") + "\n"
    }

    private static func pairs(_ words: [(word: String, help: String)]) -> String {
        words.map { CompletionWords.quoted("\($0.word):\(plain($0.help))") }.joined(separator: " ")
    }

    /// `'--format=[How to print the result]:FORMAT:(table json)'`
    private static func argument(_ word: String, _ option: Option) -> String {
        let start = (option.isRepeated ? "*" : "") + word
        let help = "[\(plain(CompletionWords.short(option.help)))]"
        guard let value = option.value else { return CompletionWords.quoted(start + help) }
        let isPath = value.contains("PATH") || value == "DIR" || value.contains("FOLDER") || value.contains("FILE")
        let action = isPath ? "_files" : option.choices.isEmpty ? "" : "(\(option.choices.joined(separator: " ")))"
        let name = plain(value).replacingOccurrences(of: "|", with: " or ")
        return CompletionWords.quoted("\(start)\(word.hasPrefix("--") ? "=" : "+")\(help):\(name):\(action)")
    }

    /// Help without the characters that separate the parts of an argument.
    private static func plain(_ text: String) -> String {
        text.replacingOccurrences(of: "[", with: "(").replacingOccurrences(of: "]", with: ")").replacingOccurrences(
            of: ":", with: " -"
        ).replacingOccurrences(of: "\\", with: "")
    }
}
