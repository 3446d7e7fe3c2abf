import CoreDataMigrationPlanning
import CoreDataPrinting
import CoreDataWorkbench

extension MigrateCommand {
    /// The option that writes a mapping model instead of migrating.
    static let scaffoldOption = Option(
        "scaffold", value: "FOLDER",
        help:
            "Write a mapping model and policies for what cannot be inferred into FOLDER, which is made, and change "
            + "nothing else. STORE may be a model then. What is there is not overwritten.")

    static let scaffoldDetail =
        "--scaffold writes OldToNew.cdm, which has a mapping for each entity, and OldToNewPolicies.swift, where each place to "
        + "look at is marked DECIDE; where all can be inferred it says so and writes nothing. json is one object then: "
        + "\"result\" is written or unneeded; \"source\", \"destination\", the names of the versions; \"files\"; \"mappings\" "
        + "[{name, type, source, destination, policy}]; \"decisions\" [{kind, entity, name, policy, reasons, conversion, "
        + "line}], where the conversion is what the policy does unless it is changed."

    /// Writes the mapping model and the policies if inference does not suffice, and reports what is left to decide.
    func scaffold(_ request: MigrationJob.Request, arguments: Arguments, output: StandardOutput) throws {
        for option in ["plan", "sql", "dry-run", "allow-loss", "no-backup", "mapping"] where arguments.has(option) {
            throw arguments.error("--scaffold and --\(option) contradict each other")
        }
        let scaffold = try MigrationScaffold(request)
        let folder = URL(fileURLWithPath: arguments["scaffold"] ?? "")
        let files = scaffold.isUnneeded ? [] : try scaffold.write(to: folder)
        ScaffoldPrinter(output: output, format: arguments.format).print(scaffold, written: files)
    }
}

/// Prints the written files of a scaffold and the decisions that are left.
private struct ScaffoldPrinter {
    let output: StandardOutput
    let format: OutputFormat

    func print(_ scaffold: MigrationScaffold, written files: [URL]) {
        if format == .json { return output.line(JSONWriter.lines(scaffold.json(written: files))) }
        guard !scaffold.isUnneeded else {
            return line(
                "From '\(scaffold.source)' to '\(scaffold.destination)' all can be inferred; nothing is written")
        }
        for file in files { line("written  \(file.path)") }
        for decision in scaffold.decisions {
            let reasons = decision.reasons.joined(separator: "; ")
            line("decide   \(files.last?.lastPathComponent ?? ""):\(decision.line): \(decision.item.path): \(reasons)")
            if let conversion = decision.conversion { line("         \(conversion)") }
        }
        let count = scaffold.decisions.count
        guard count > 0 else {
            return line("no place to look at: what cannot be inferred is of entities without objects")
        }
        line("\(count) \(count == 1 ? "place" : "places") to look at, each marked DECIDE")
    }

    private func line(_ text: String) { output.say(PrintableText.escaped(text, limit: .max)) }
}
