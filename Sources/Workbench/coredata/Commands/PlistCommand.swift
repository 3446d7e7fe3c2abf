import CoreDataPrinting
import CoreDataViewing
import CoreDataWorkbench

/// `plist`: prints, checks and changes property lists.
struct PlistCommand: Command {
    let syntax = CommandSyntax(
        name: ["plist"],
        summary: "Prints keys, types and values of a property list in XML or binary form, or changes one of them.",
        operands: [
            CommandOperand(name: "FILE", help: "The path of the property list."),
            CommandOperand(
                name: "KEYPATH",
                help: "Where to begin: keys and places in arrays with points, '\\.' for a point in a key.",
                isOptional: true),
        ],
        options: [
            Option("set", value: "KEYPATH=VALUE", help: "Put a value there, in place of one or as a new one."),
            Option(
                "type", value: "TYPE",
                help:
                    "The type of VALUE; without it that of the value that is there, or string. array and dictionary take JSON.",
                choices: PropertyListType.allCases.map(\.rawValue)),
            Option("remove", value: "KEYPATH", help: "Take a value away."),
            Option("check", help: "Only say whether the file is a property list, and of which form."),
            .format([.table, .json]),
        ],
        details: [
            "The file keeps its form, XML or binary, and is the old or the new one at any time; comments of XML are lost. A new "
                + "element of an array takes the number after its last one.",
            "Exit codes of --check: 0 the file can be read to its end, 2 it cannot; the line or the place is printed.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        guard !arguments.has("check") else { return try check(arguments, output) }
        var file = try PropertyListFile(at: arguments.path(0))
        guard !arguments.has("set"), !arguments.has("remove") else { return try change(&file, arguments) }
        guard !arguments.has("type") else { throw arguments.error("--type goes with --set") }
        let path = try arguments.operands.dropFirst().first.map { try PropertyListPath($0) }
        let list = try path.map { try file.list.value(at: $0) } ?? file.list
        if arguments.format == .json { return output.line(JSONWriter.lines(list.json)) }
        var table = TextTable(
            [.init(title: "key"), .init(title: "type"), .init(title: "value")], limit: Terminal.width)
        for line in list.lines(at: path?.text ?? "") {
            table.add([line.path, line.type, line.text].map { PrintableText.escaped($0) }, to: output)
        }
        table.finish(output)
    }

    private func check(_ arguments: Arguments, _ output: StandardOutput) throws {
        guard arguments.operands.count == 1, !["set", "type", "remove"].contains(where: arguments.has) else {
            throw arguments.error("--check goes alone")
        }
        let file: PropertyListFile
        do {
            file = try PropertyListFile(at: arguments.path(0))
        } catch {
            throw ExitStatus(code: 2, cause: error)
        }
        guard arguments.format == .json else {
            return output.say("\(PrintableText.escaped(file.url.path)): a property list in \(file.form.rawValue) form")
        }
        output.line(
            JSONWriter.lines(.object([("path", .string(file.url.path)), ("form", .string(file.form.rawValue))])))
    }

    private func change(_ file: inout PropertyListFile, _ arguments: Arguments) throws {
        guard arguments.operands.count == 1 else {
            throw arguments.error("KEYPATH goes with printing, not with a change")
        }
        if let text = arguments["remove"] {
            guard !arguments.has("set"), !arguments.has("type") else {
                throw arguments.error("--remove goes alone")
            }
            try file.remove(PropertyListPath(text))
            return try file.write()
        }
        let words = (arguments["set"] ?? "").split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2 else { throw arguments.error("--set takes KEYPATH=VALUE") }
        let path = try PropertyListPath(String(words[0]))
        let type =
            arguments["type"].flatMap(PropertyListType.init) ?? (try? file.list.value(at: path))?.type ?? .string
        try file.set(type.value(String(words[1])), at: path)
        try file.write()
    }
}
