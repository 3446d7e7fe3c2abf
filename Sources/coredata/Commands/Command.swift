import CoreDataInspection

/// One subcommand: what it takes, and what it does.
protocol Command {
    var syntax: CommandSyntax { get }
    /// Does the work and prints its result.
    func run(_ arguments: Arguments, _ output: StandardOutput) throws
}

/// How a result is printed.
enum OutputFormat: String, CaseIterable {
    case table
    case json
    case csv
}

extension Option {
    static let model = Option(
        "model", value: "PATH",
        help: "The model to open the store with, instead of the one that the store keeps: a .momd, .mom, "
            + ".xcdatamodeld or .xcdatamodel. Of several versions the one whose hashes are the store's is taken.")

    static func format(_ formats: [OutputFormat]) -> Option {
        let names = formats.map(\.rawValue)
        return Option(
            "format", value: names.dropFirst().reduce(names[0]) { $0 + "|" + $1 },
            help: "How to print the result; \(names[0]) unless told otherwise.", choices: names)
    }
}

extension Arguments {
    /// The path that `--model` names.
    var model: URL? { self["model"].map { URL(fileURLWithPath: $0) } }

    /// What `--format` asks for.
    var format: OutputFormat { self["format"].flatMap(OutputFormat.init) ?? .table }

    /// The operand of a number, as the path of a file.
    func path(_ number: Int) -> URL { URL(fileURLWithPath: operands[number]) }
}

extension OpenStore {
    /// Tells on standard error what is wrong with the store though it could be opened; `known` was told before.
    @discardableResult
    func reportProblems(beside known: Set<String> = []) -> Set<String> {
        let problems = problems
        for problem in problems where !known.contains(problem) {
            StandardError.write("\(Program.name): warning: \(PrintableText.escaped(problem))")
        }
        return Set(problems)
    }
}
