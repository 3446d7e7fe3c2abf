import CoreDataPrinting
import CoreDataWorkbench

/// `lint`: finds saves and other calls of Core Data whose errors sources ignore.
struct LintCommand: Command {
    let syntax = CommandSyntax(
        name: ["lint"],
        summary: "Finds saves and fetches in Swift sources whose errors are ignored.",
        operands: [
            CommandOperand(name: "PATH", help: "A Swift source, or a folder with all sources in it.", isRepeated: true)
        ],
        options: [Option("json", help: "Prints what was found as JSON.")],
        details: [
            "Found are: 'try?' before save, fetch, execute and similar calls whose result nothing looks at; 'try!' before a "
                + "save; a 'catch' that does nothing; loadPersistentStores whose error is not looked at.",
            "A line each: FILE:LINE:COLUMN: warning: TEXT, as compilers write it. The comment 'coredata:ignored' in a line "
                + "accepts what the line has.",
            "Calls are known by their names, without types: a 'save' of another type is found too.",
            "The program coredata-port reads the sources, as for port.",
            "Exit codes: 0 nothing was found, 1 something was, 2 refused or failed.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let report: ReadLintReport
        do {
            report = try PortProgram.lint(arguments.operands)
        } catch {
            throw ExitStatus(code: 2, cause: error)
        }
        if arguments.has("json") {
            output.line(JSONWriter.lines(report.json))
        } else {
            for finding in report.findings {
                let place = PrintableText.escaped(finding.place)
                output.line("\(place): warning: \(PrintableText.escaped(finding.message, limit: 500))")
            }
            output.say("\(report.sources) sources, \(report.findings.count) ignored errors")
        }
        if !report.findings.isEmpty { throw ExitStatus(code: 1) }
    }
}
