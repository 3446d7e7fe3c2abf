import CoreDataMigrationPlanning
import CoreDataPrinting
import CoreDataWorkbench

/// `model check`: checks models against rules.
struct ModelCheckCommand: Command {
    let syntax = CommandSyntax(
        name: ["model", "check"], summary: "Checks models against rules and prints what breaks them.",
        operands: [
            CommandOperand(
                name: "MODEL",
                help:
                    "A .xcdatamodeld, .xcdatamodel, .momd or .mom, a store that keeps its model, or a .swift or a folder of them "
                    + "with @Model classes.",
                isRepeated: true, isOptional: true)
        ],
        options: [
            Option("version", value: "NAME", help: "The version to check, instead of all."),
            Option("strict", help: "Fail for warnings too."),
            Option("disable", value: "RULE,RULE", help: "Rules to leave out."),
            Option(
                "enable", value: "RULE,RULE",
                help: "Further rules to check, which are not checked by default: " + quiet.joined(separator: ", ") + "."
            ),
            Option(
                "classes", value: "A,B", help: "The classes that entities may name; not checked by default."),
            Option(
                "transformers", value: "A,B", help: "The application's value transformers; not checked by default."),
            Option("list-rules", help: "Print all rules, and check nothing."),
            Option(
                "format", value: "text|json|github",
                help: "How to print the result; text by default. 'github' annotates the lines of a change.",
                choices: ["text", "json", "github"]),
        ],
        details: [
            "Each line is 'path:line:column: severity: Entity.property: sentence [rule]'. Errors, with --strict also "
                + "warnings, make the exit code 1. Compiled models and stores have no lines.",
            "Of @Model classes, what the compiler sees to and what classes cannot have is not checked; what cannot be read of "
                + "them is the error 'unreadable-model'.",
        ])

    private static let quiet = ModelCheckOptions.quietRules.sorted()

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let options = ModelCheckOptions(
            disabled: try disabledRules(arguments), classes: arguments.names("classes"),
            transformers: arguments.names("transformers"))
        if arguments.has("list-rules") { return listRules(arguments, output) }
        guard !arguments.operands.isEmpty else { throw arguments.error("MODEL is missing") }
        let reports = try arguments.operands.indices.map { number in
            let url = arguments.path(number)
            guard SwiftModels.isSource(url) else {
                return try ModelCheckReport(at: url, version: arguments["version"], options: options)
            }
            return try SwiftModels(at: url).check(version: arguments["version"], options: options)
        }
        print(reports, arguments: arguments, output: output)
        let errors = reports.reduce(0) { $0 + $1.count(.error) }
        let warnings = reports.reduce(0) { $0 + $1.count(.warning) }
        guard errors > 0 || arguments.has("strict") && warnings > 0 else { return }
        throw InspectionError(.brokenRules, subject: "model check", cause: ModelCheckReport.summary(reports))
    }

    private func disabledRules(_ arguments: Arguments) throws -> Set<String> {
        let disabled = arguments.names("disable") ?? []
        let enabled = arguments.names("enable") ?? []
        let known = ModelCheck.rules.map(\.identifier)
        guard let unknown = disabled.union(enabled).subtracting(known).min() else {
            return disabled.union(Set(Self.quiet).subtracting(enabled))
        }
        let near = NameSuggestion(for: unknown, in: known)
        throw arguments.error("there is no rule '\(unknown)'", hint: near?.question)
    }

    private func print(_ reports: [ModelCheckReport], arguments: Arguments, output: StandardOutput) {
        switch arguments["format"] {
        case "json": output.line(JSONWriter.lines(ModelCheckReport.json(reports)))
        case "github": for line in reports.flatMap(\.versions).flatMap(\.annotations) { output.line(line) }
        default:
            for line in reports.flatMap(\.versions).flatMap(\.lines) { output.line(line) }
            output.line(ModelCheckReport.summary(reports))
        }
    }

    private func listRules(_ arguments: Arguments, _ output: StandardOutput) {
        let rules = ModelCheck.rules
        if arguments["format"] == "json" { return output.list(rules.map(\.json)) }
        for rule in rules {
            output.line("\(rule.identifier)  \(rule.severity.rawValue)\n    \(rule.statement)\n    \(rule.remedy)")
        }
    }
}

extension Arguments {
    /// The names of an option's list; nil if it was not given.
    fileprivate func names(_ option: String) -> Set<String>? {
        self[option].map { Set($0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }) }
    }
}
