import CoreDataMigrationPlanning
import CoreDataPrinting
import CoreDataWorkbench

/// `model test-migrations`: migrates generated stores of older versions to the current one, and compares the values.
struct ModelTestMigrationsCommand: Command {
    let syntax = CommandSyntax(
        name: ["model", "test-migrations"],
        summary:
            "Makes stores of a model's older versions with generated data, migrates them to the current version along "
            + "every path, and compares every value that is to be kept.",
        operands: [CommandOperand(name: "PACKAGE", help: "An .xcdatamodeld or .momd with several versions.")],
        options: [
            Option(
                "from", value: "NAME", help: "Only stores of this version; may be given several times.",
                isRepeated: true),
            Option("objects", value: "N", help: "About how many objects a store gets; 200 by default."),
            Option("seed", value: "N", help: "Another number makes other data, the same one the same; 1 by default."),
            Option(
                "mapping", value: "PATH",
                help:
                    "A mapping model (.cdm or .xcmappingmodel) for what cannot be inferred; may be given several times.",
                isRepeated: true), .format([.table, .json]),
        ],
        details: [
            "From each older version two paths are tried: at once, and through the versions between, in the order of their "
                + "names. The data obey the rules of the version that they are made for: types, limits, patterns as far as "
                + "they are simple, required values, counts of relationships, constraints. One value in four is odd: empty, "
                + "with a NUL, very large, far in the past, beyond the basic plane.",
            "After each step the numbers of objects are compared, and all values and links that have a counterpart, object "
                + "by object; every object is validated. What a mapping model makes is only validated.",
            "json: {\"result\": passed or failed, \"seed\", \"stranded\", the versions from which no path leads to the "
                + "current one, \"paths\" [{path, objects, result, step, code, problems}]}, where a path's result is passed, "
                + "refused or wrong.",
            "The exit code is 1 if a path comes out wrong, or none leads from a version to the current one.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let report = try ModelTrialReport(arguments.trial())
        if arguments.format == .json {
            output.line(JSONWriter.lines(report.json))
        } else {
            print(report, output)
        }
        if !report.hasPassed { throw ExitStatus(code: 1) }
    }

    private func print(_ report: ModelTrialReport, _ output: StandardOutput) {
        for outcome in report.outcomes {
            let path = PrintableText.escaped(outcome.path.joined(separator: " -> "))
            switch outcome.result {
            case .passed: output.line("passed   \(path)  \(Count.objects(outcome.objects))")
            case .refused(let code, let reason, let step):
                output.line("refused  \(path)")
                output.line("         " + PrintableText.escaped("\(step): \(reason) [\(code)]"))
            case .wrong(let differences, let step):
                output.line("wrong    \(path)  \(Count.objects(outcome.objects))")
                for difference in differences {
                    output.line("         " + PrintableText.escaped("\(step): \(difference)"))
                }
            }
        }
        for name in report.stranded { output.say("no path leads from \(PrintableText.escaped(name))") }
    }
}

extension Arguments {
    fileprivate func trial() throws -> ModelTrialReport.Request {
        var request = ModelTrialReport.Request(package: path(0))
        request.origins = all("from")
        if has("objects") { request.objects = try number("objects") }
        if has("seed") { request.seed = UInt64(try number("seed")) }
        guard request.objects <= 1_000_000 else { throw error("--objects takes at most a million") }
        request.mappings = all("mapping").map { URL(fileURLWithPath: $0) }
        return request
    }
}
