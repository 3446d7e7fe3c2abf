import CoreDataPrinting
import CoreDataWorkbench

/// Asks for confirmation before something is removed irrevocably.
enum Confirmation {
    /// Whether the removal is confirmed: by `--yes`, or by the user at the terminal.
    ///
    /// - Throws: `InspectionError` without `--yes` if standard input is not a terminal.
    static func isGiven(_ arguments: Arguments, question: String) throws -> Bool {
        if arguments.has("yes") { return true }
        guard isatty(STDIN_FILENO) == 1 else {
            throw InspectionError(
                .readOnly, subject: arguments.command,
                cause: "nothing was removed: standard input is not a terminal, so the confirmation cannot be asked for",
                hint: "--yes removes it without asking")
        }
        guard isatty(STDERR_FILENO) == 1 else { return false }
        let text = [question, "It cannot be brought back.", "[y/N]"].map(RunLanguage.text).joined(separator: " ")
        StandardError.write(text)
        return isYes(readLine())
    }

    /// Whether an answer to a question that ends in `[y/N]` is yes, in English or in the language of the run.
    static func isYes(_ answer: String?) -> Bool {
        let answer = answer?.lowercased() ?? ""
        return ["y", "yes"].contains(answer) || RunLanguage.text("[y/N]").hasPrefix("[\(answer)/")
    }
}
