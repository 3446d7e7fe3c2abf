import CoreDataMigrationPlanning
import CoreDataPrinting
import CoreDataWorkbench

/// `model diff`: prints the differences of two models, and whether stores can be migrated from one to the other.
struct ModelDiffCommand: Command {
    let syntax = CommandSyntax(
        name: ["model", "diff"],
        summary: "Prints what differs between two models, and whether lightweight migration can take a store from one "
            + "to the other.",
        operands: [
            CommandOperand(
                name: "OLD",
                help: "A model, a store, or with --from or --to the package whose versions are compared."),
            CommandOperand(name: "NEW", help: "A model or a store.", isOptional: true),
        ],
        options: [
            Option("from", value: "NAME", help: "The old version in the package; the current one without it."),
            Option("to", value: "NAME", help: "The new version in the package; the current one without it."),
            .format([.table, .json]),
        ],
        details: [
            "A line begins with + for what is added, - removed, ~ changed; a # at its end says that the version hash of "
                + "an entity changes, so that stores have to be migrated.",
            "Of a store the model that it keeps is taken; without one, the version in NEW whose hashes are the store's.",
            "Exit codes are those of diff: 0 the models say the same, 1 they differ, 2 they cannot be compared.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let report: ModelComparisonReport
        do {
            report = try compare(arguments)
        } catch let error as UsageError {
            throw error
        } catch {
            throw ExitStatus(code: 2, cause: error)
        }
        if arguments.format == .json {
            output.line(JSONWriter.lines(report.json))
        } else {
            DifferencePrinter(output: output, width: Terminal.width).print(report)
        }
        if !report.difference.isEmpty { throw ExitStatus(code: 1) }
    }

    private func compare(_ arguments: Arguments) throws -> ModelComparisonReport {
        let isOnePackage = arguments.has("from") || arguments.has("to")
        guard arguments.operands.count == (isOnePackage ? 1 : 2) else {
            throw arguments.error(
                isOnePackage ? "--from and --to compare versions of one package" : "NEW is missing",
                hint: "give two models, or one package with --from or --to")
        }
        guard isOnePackage else { return try compare(arguments.path(0), arguments.path(1)) }
        let package = arguments.path(0)
        guard !SwiftModels.isSource(package) else {
            let origin = try SwiftModels(at: package).origin
            return ModelComparisonReport(try origin.version(arguments["from"]), try origin.version(arguments["to"]))
        }
        return try ModelComparisonReport(in: package, from: arguments["from"], to: arguments["to"])
    }

    private func compare(_ old: URL, _ new: URL) throws -> ModelComparisonReport {
        guard SwiftModels.isSource(old) || SwiftModels.isSource(new) else {
            return try ModelComparisonReport(from: old, to: new)
        }
        return ModelComparisonReport(
            try SwiftModels.origin(at: old).version(), try SwiftModels.origin(at: new).version())
    }
}
