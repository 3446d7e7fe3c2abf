import CoreDataJobs
import CoreDataPrinting
import Foundation

extension Option {
    static let progress = Option(
        "progress", value: "json",
        help: "Report the progress on standard error as a JSON object a line, each second and at the end.",
        choices: ["json"])
    static let noProgress = Option("no-progress", help: "Show no progress on the terminal.")

    static let account = Option(
        "account", value: "NAME",
        help:
            "Sign requests with the tokens of an account that 'account list' lists; they are refreshed when they are refused."
    )

    static let model = Option(
        "model", value: "PATH",
        help: "The model to open the store with, instead of the one that the store keeps: a .momd, .mom, "
            + ".xcdatamodeld or .xcdatamodel. Of several versions the one whose hashes are the store's is taken.")

    static func format(_ formats: [OutputFormat]) -> Option {
        let names = formats.map(\.rawValue)
        return Option(
            "format", value: names.dropFirst().reduce(names[0]) { $0 + "|" + $1 },
            help: "How to print the result; \(names[0]) by default.", choices: names)
    }
}

extension Arguments {
    /// What shows the progress of work: a line on a terminal unless `--progress` or `--no-progress` says otherwise.
    func progress(_ title: String, of total: Int = 0) -> ProgressLine {
        ProgressLine(progressForm == .json ? title : RunLanguage.text(title), total: Int64(total), form: progressForm)
    }

    /// Whether progress is shown, so that it is worth counting what is to be done.
    var showsProgress: Bool {
        progressForm == .json || progressForm == .line && ProgressOutput.standardError.isTerminal
    }

    private var progressForm: ProgressForm { has("progress") ? .json : has("no-progress") ? .none : .line }

    /// The path that `--model` names.
    var model: URL? { self["model"].map { URL(fileURLWithPath: $0) } }

    /// The format that `--format` names; a table by default.
    var format: OutputFormat { self["format"].flatMap(OutputFormat.init) ?? .table }

    /// The operand at an index, as the URL of a file or of a store on a server.
    func path(_ number: Int) -> URL { PlaceWord.url(operands[number]) }

    /// The URL that `--output` names.
    ///
    /// - Throws: `UsageError` without one.
    func output() throws -> URL {
        guard let path = self["output"] else { throw error("--output PATH is missing") }
        return PlaceWord.url(path)
    }
}
