import CoreDataJobs
import CoreDataPrinting
import CoreDataRepair
import CoreDataWorkbench

/// `check`: checks a store for damage and inconsistencies, and repairs it.
struct CheckCommand: Command {
    let syntax = CommandSyntax(
        name: ["check"],
        summary: "Checks a store for damage and inconsistencies, and repairs it with --repair.",
        operands: [.storeFile],
        options: [
            .model,
            Option(
                "limit", value: "NUMBER",
                help:
                    "How many findings of a kind are listed; \(StoreCheck.usualLimit) by default. All are counted."
            ),
            Option(
                "grace", value: "HOURS",
                help:
                    "For how long a file of a large value that no row names may belong to a save under way; 24 by "
                    + "default."),
            Option(
                "repair", help: "Repair what can be repaired, after a backup beside the store, and print what is done."),
            Option(
                "output", letter: "o", value: "COPY",
                help: "With --repair: leave the store as it is, and repair a copy there."),
            .progress, .noProgress, .format([.table, .json]),
        ],
        details: [
            "The file, its indexes and its log are checked, the store's metadata, model and history, every row, link and value, "
                + "and the files of large values. 'model check' is about models.",
            "XML and binary stores keep no model: give it with --model.",
            "Docs/Checking.md has the cause and the cure of each kind of finding.",
            "--repair works in one transaction, which the store's history records with the author 'coredata'. What has to be "
                + "dropped is printed, and stays in the backup. A file that is damaged itself is not repaired: see 'recover'.",
            "Exit codes: 0 the store is sound, 1 there are findings, after --repair those that are left, 2 it cannot be checked "
                + "or repaired.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        var check = StoreCheck(arguments.path(0), model: arguments.model)
        if arguments.has("limit") { check.limit = try arguments.number("limit") }
        if arguments.has("grace") { check.grace = Double(try arguments.number("grace")) * 3_600 }
        guard arguments.has("repair") || !arguments.has("output") else {
            throw arguments.error("--output is for --repair")
        }
        let report: StoreCheckReport
        do {
            if arguments.has("repair") { return try repair(check, arguments: arguments, output: output) }
            report = try arguments.progress("checking").showing { _ in try check.run() }
        } catch let status as ExitStatus {
            throw status
        } catch {
            throw ExitStatus(code: 2, cause: error)
        }
        if arguments.format == .json {
            output.line(JSONWriter.lines(report.json))
        } else {
            FindingPrinter(output: output).print(report)
        }
        if !report.isSound { throw ExitStatus(code: 1) }
    }

    private func repair(_ check: StoreCheck, arguments: Arguments, output: StandardOutput) throws {
        let repairing = StoreRepair(check, copy: arguments["output"].map { URL(fileURLWithPath: $0) })
        let printer = FindingPrinter(output: output)
        let isTable = arguments.format == .table
        let repaired = try repairing.run { if isTable { printer.print(repaired: $0) } }
        if isTable { printer.print(repaired) } else { output.line(JSONWriter.lines(repaired.json)) }
        if !repaired.check.isSound { throw ExitStatus(code: 1) }
    }
}
