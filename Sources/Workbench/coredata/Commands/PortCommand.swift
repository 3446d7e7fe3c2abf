import CoreDataPrinting
import CoreDataWorkbench

/// `port`: rewrites sources made for Apple's systems so that they build without Objective-C too.
struct PortCommand: Command {
    let syntax = CommandSyntax(
        name: ["port"],
        summary: "Rewrites Swift sources made for Apple's systems so that they build there and here.",
        operands: [
            CommandOperand(name: "PATH", help: "A Swift source, or a folder with all sources in it.", isRepeated: true)
        ],
        options: [
            Option("write", help: "Writes the changes; without it they are only shown."),
            Option("json", help: "Prints changes and what is left to do as JSON."),
        ],
        details: [
            "Prints the changes as a unified diff, then what is left to do by hand, a line each: "
                + "FILE:LINE:COLUMN: note: TEXT. Nothing is written without --write, and each file whole or not at all.",
            "What the command does not understand it leaves and names. What stands in #if canImport(ObjectiveC) or its "
                + "#else it leaves. A second run changes nothing. Docs/Porting.md lists the rules.",
            "What uses modules of Apple's goes behind #if canImport with all that needs it; a line for each file says so.",
            "The program coredata-port does the work. It is built beside a Swift toolchain, and found beside coredata or in PATH.",
            "Exit codes: 0 the rules find nothing left to do by hand, 1 they do, 2 refused or failed.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let report: ReadPortReport
        do {
            report = try PortProgram.run(on: arguments.operands, writing: arguments.has("write"))
        } catch {
            throw ExitStatus(code: 2, cause: error)
        }
        if arguments.has("json") {
            output.line(JSONWriter.lines(report.json))
        } else {
            PortPrinter(output: output).print(report, isWritten: arguments.has("write"))
        }
        if !report.findings.isEmpty { throw ExitStatus(code: 1) }
    }
}
