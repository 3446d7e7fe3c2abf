import CoreDataPrinting
import CoreDataTracing
import CoreDataWorkbench

/// `doctor`: reports what the machine lacks for the commands to work.
struct DoctorCommand: Command {
    let syntax = CommandSyntax(
        name: ["doctor"], summary: "Says what this machine lacks of what the commands use, and how it is had.",
        operands: [], options: [.format([.table, .json])],
        details: [
            "Exit codes: 0 all commands work but those that are named as lacking a program; 1 something is wrong that may keep "
                + "stores from being read or written."
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let items = MachineCheck().items
        if arguments.format == .json {
            output.line(JSONWriter.lines(.array(items.map(\.json))))
        } else {
            for item in items {
                let state = (item.state == .good ? "ok" : item.state.rawValue).padded(to: 7)
                let name = RunLanguage.text(item.name)
                output.line("\(state)  \(name): \(PrintableText.escaped(RunLanguage.text(item.text)))")
                if let cure = item.cure { output.line("         \(PrintableText.escaped(RunLanguage.text(cure)))") }
            }
        }
        if items.contains(where: { $0.state == .wrong }) { throw ExitStatus(code: 1) }
    }
}

extension MachineCheck.Item {
    /// The item as JSON.
    fileprivate var json: JSONValue {
        .object([
            ("name", .string(name)), ("state", .string(state.rawValue)), ("found", .string(text)),
            ("cure", cure.map { .string($0) } ?? .null),
        ])
    }
}

extension String {
    /// The text followed by spaces up to a width.
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
