import Foundation
import Testing

@testable import coredata

/// The command lines in the documentation, as the tool takes them.
@Suite struct DocumentedCommandTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The pages, by their paths; the list of changes tells of commands as they were.
    private static func pages() throws -> [(name: String, text: String)] {
        let files = FileManager.default.enumerator(atPath: root.appending(path: "Docs").path)
        let names =
            (files?.compactMap { $0 as? String } ?? []).map { "Docs/" + $0 } + [
                "README.md", "SECURITY.md", "SUPPORT.md",
            ]
        return try names.filter { $0.hasSuffix(".md") || $0.hasSuffix(".tutorial") }.sorted().map {
            ($0, try String(contentsOf: root.appending(path: $0), encoding: .utf8))
        }
    }

    /// The lines of a page's blocks of shell commands; what is put into a file by a block is not one.
    private static func shellLines(_ page: String) -> [String] {
        var (lines, isShell, ending) = ([String](), false, String?.none)
        for line in page.replacing("\\\n", with: " ").split(separator: "\n").map({
            $0.trimmingCharacters(in: .whitespaces)
        }) {
            if line.hasPrefix("```") {
                (isShell, ending) = (line == "```sh", nil)
            } else if let end = ending {
                if line == end { ending = nil }
            } else if isShell {
                lines.append(line)
                ending = line.firstMatch(of: /<<'?([A-Z]+)'?/).map { String($0.1) }
            }
        }
        return lines
    }

    /// The words of the commands of a line that are the tool's, with quotations as the shell reads them.
    private static func commands(_ line: String) -> [[String]] {
        var (all, words, word) = ([[String]](), [String](), String?.none)
        var quotation: Character?
        func endWord() {
            if let finished = word { words.append(finished) }
            word = nil
        }
        func endCommand() {
            endWord()
            if words.first == "coredata" { all.append(Array(words.dropFirst())) }
            words = []
        }
        for character in line {
            if let open = quotation {
                if character == open { quotation = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                (quotation, word) = (character, word ?? "")
            } else if character == "#", word == nil {
                break
            } else if "|&;()<>".contains(character) {
                endCommand()
            } else if character.isWhitespace {
                endWord()
            } else {
                word = (word ?? "") + String(character)
            }
        }
        endCommand()
        return all
    }

    /// The command that words begin with, and the rest of them.
    private static func command(_ words: [String]) -> (syntax: CommandSyntax, rest: [String])? {
        CommandList.all.first { words.starts(with: $0.name) }.map {
            ($0.make().syntax, Array(words.dropFirst($0.name.count)))
        }
    }

    private static let own: Set<String> = ["--version", "--help", "help", "COMMAND"]

    @Test("each command of a block in the documentation is one that the tool takes (TOOL-25)")
    func eachCommandOfBlockInDocumentationIsOneThatToolTakes() throws {
        var count = 0
        for page in try Self.pages() {
            for line in Self.shellLines(page.text).flatMap(Self.commands) where !Self.own.contains(line.first ?? "") {
                count += 1
                var words = line
                _ = try LanguageOption.take(from: &words)
                guard let (syntax, rest) = Self.command(words) else {
                    Issue.record("\(page.name): there is no command of 'coredata \(words.joined(separator: " "))'")
                    continue
                }
                #expect(throws: Never.self, "\(page.name): coredata \(words.joined(separator: " "))") {
                    _ = try Arguments(rest, syntax: syntax)
                }
            }
        }
        #expect(count > 80)
    }

    @Test("each command that a sentence of the documentation names is there, with its options (TOOL-25)")
    func eachCommandThatSentenceOfDocumentationNames() throws {
        var count = 0
        for page in try Self.pages() {
            for match in page.text.matches(of: /`coredata ([^`]*)`/) {
                let words = Self.commands("coredata " + match.1.replacing("\n", with: " ")).first ?? []
                // A group of commands is named by its first word, and an option by itself where any command has it.
                guard let first = words.first, !Self.own.contains(first), !first.hasPrefix("-"), words != ["model"]
                else { continue }
                count += 1
                guard let (syntax, rest) = Self.command(words) else {
                    Issue.record("\(page.name): there is no command of '\(match.0)'")
                    continue
                }
                for option in rest.flatMap({ $0.split(separator: "|") }).map({ $0.trimmingCharacters(in: ["[", "]"]) })
                where option.hasPrefix("--") {
                    let name = option.dropFirst(2).prefix { $0 != "=" }
                    #expect(syntax.options.contains { $0.name == name }, "\(page.name): \(match.0)")
                }
            }
        }
        #expect(count > 150)
    }
}
