import CoreDataPrinting
import CoreDataWorkbench
import Synchronization

/// The command line: finds the subcommand, runs it and reports errors.
///
/// | exit code | meaning |
/// |--:|---|
/// | 0 | done; also if the reader has closed the output |
/// | 1 | refused or failed: one line on standard error says why, and where it is made of several errors, a line each follows; for `model diff`, the models differ; for `compare`, the stores; for `check`, there are findings; for `port`, something is left to do |
/// | 2 | the command line itself is wrong; for `model diff`, `compare`, `check` and `port`, refused or failed |
/// | 3 | for `migrate`, data would be lost |
enum Program {
    /// Runs the program and returns its exit code.
    static func run() -> Int32 {
        // If the reader disconnects, a write fails with an error that is handled, and no signal ends the process.
        signal(SIGPIPE, SIG_IGN)
        // The words after the name are for this program; launch settings from user defaults are not used.
        LaunchSettings.includesUserDefaults.store(false, ordering: .relaxed)
        let output = StandardOutput()
        do {
            var words = try CommandWords.read()
            try LanguageOption.begin(LanguageOption.take(from: &words))
            try dispatch(words, output)
            try output.flush()
            return 0
        } catch OutputError.closed {
            return 0
        } catch let status as ExitStatus {
            try? output.flush()
            if let cause = status.cause { _ = report(cause) }
            return status.code
        } catch {
            // The output so far is written before the line about the error.
            try? output.flush()
            return report(error)
        }
    }

    private static func dispatch(_ words: [String], _ output: StandardOutput) throws {
        guard let first = words.first else { throw missing }
        if words == ["--version"] { return output.line("\(Release.name) \(Release.version)") }
        if ["--help", "-h", "help"].contains(first) {
            let topic = Array(words.dropFirst()).filter { !$0.hasPrefix("-") }
            guard !topic.isEmpty else { return output.write(Help.overview(CommandList.syntaxes)) }
            if topic.count == 1, let text = try Help.text(ofErrorCode: topic[0]) { return output.write(text) }
            return output.write(try helps(on: topic).map { Help.text(of: $0.syntax) }.joined(separator: "\n"))
        }
        guard let command = command(words) else { throw unknown(words) }
        let rest = words.dropFirst(command.syntax.name.count)
        guard !rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) else {
            return output.write(Help.text(of: command.syntax))
        }
        try command.run(Arguments(Array(rest), syntax: command.syntax), output)
    }

    /// The command with a name, or all commands of a group.
    private static func helps(on topic: [String]) throws -> [any Command] {
        if let command = command(topic) { return [command] }
        let group = CommandList.all.filter { $0.name.starts(with: topic) }
        guard !group.isEmpty else { throw unknown(topic) }
        return group.map { $0.make() }
    }

    private static func command(_ words: [String]) -> (any Command)? {
        CommandList.all.first { words.starts(with: $0.name) }?.make()
    }

    private static var missing: UsageError {
        UsageError("no command was given", hint: "'\(Release.name) help' lists all", command: nil)
    }

    private static func unknown(_ words: [String]) -> UsageError {
        let groups = Set(CommandList.all.filter { $0.name.count > 1 }.map { $0.name[0] })
        let depth = groups.contains(words[0]) ? 2 : 1
        let requested = words.prefix(depth).map(PlaceWord.shown).joined(separator: " ")
        guard words.count >= depth else {
            return UsageError(
                "'\(requested)' needs one of: " + names(in: requested).joined(separator: ", "), command: nil)
        }
        // New users often give the path of a store without a command.
        let isFile = FileManager.default.fileExists(atPath: words[0])
        let hint = isFile ? "the command must come first, for example '\(Release.name) inspect \(words[0])'" : nil
        let near = CommandList.suggestion(for: words)?.question
        let all = "'\(Release.name) help\(depth > 1 ? " " + words[0] : "")' lists all"
        return UsageError("there is no command '\(requested)'", hint: hint ?? near ?? all, command: nil)
    }

    private static func names(in group: String) -> [String] {
        CommandList.all.map(\.name).filter { $0[0] == group }.map { $0.joined(separator: " ") }
    }

    private static func report(_ error: any Error) -> Int32 {
        StandardError.write("\(Release.name): \(ErrorText.line(for: error))")
        if let error = error as? UsageError {
            let command = ([Release.name] + (error.command ?? [])).joined(separator: " ")
            StandardError.write("Try '\(command) --help'.")
            return 2
        }
        if let excerpt = (error as? InspectionError)?.excerpt {
            for line in excerpt.split(separator: "\n", omittingEmptySubsequences: false) {
                StandardError.write("  " + PrintableText.escaped(String(line)))
            }
        }
        let log = (error as? InspectionError)?.log ?? ErrorDetail.logOfSeveral(error)
        for line in log { StandardError.write(line) }
        return 1
    }
}
