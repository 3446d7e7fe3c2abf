import CoreDataInspection

/// `model versions`: the versions of a model, and which of them is current.
struct ModelVersionsCommand: Command {
    let syntax = CommandSyntax(
        name: ["model", "versions"],
        summary: "Lists the versions of a model; adds one, or makes another one current.",
        operands: [Operand(name: "PACKAGE", help: "An .xcdatamodeld, or a .momd, which is only listed.")],
        options: [
            Option("set-current", value: "NAME", help: "Makes a version the current one, also an older one."),
            Option("add", value: "NAME", help: "Adds a version as a copy; the current one stays current."),
            Option("from", value: "NAME", help: "The version that --add copies; the current one without it."),
            .format([.table, .json]),
        ],
        details: ["'--add NAME --set-current NAME' does both."])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let url = arguments.path(0)
        if arguments.has("from"), !arguments.has("add") { throw arguments.error("--from goes with --add") }
        if arguments.has("add") || arguments.has("set-current") { try change(url, arguments) }
        let package = try ModelPackage(at: url)
        if arguments.format == .json { return output.line(JSONWriter.lines(package.versionReport)) }
        var table = TextTable(
            ["CURRENT", "VERSION", "CHECKSUM", "ENTITIES", "IDENTIFIERS"].map {
                .init(title: $0, isNumber: $0 == "ENTITIES")
            }, limit: Terminal.width)
        for version in package.versions {
            let identifiers = version.model.versionIdentifierTexts.joined(separator: ", ")
            table.add(
                [
                    version.isCurrent ? "yes" : "", version.name, version.model.versionChecksum,
                    "\(version.model.entities.count)", identifiers,
                ].map { PrintableText.escaped($0) }, to: output)
        }
        table.finish(output)
        for (name, reason) in package.unreadable {
            output.line(PrintableText.escaped("unreadable version '\(name)': \(reason)"))
        }
    }

    private func change(_ url: URL, _ arguments: Arguments) throws {
        guard !ModelPackage.isCompiled(url) else {
            throw InspectionError(
                .readOnly, url.path, "a compiled model is not changed", hint: "change its source and compile it again")
        }
        let package = try SourcePackage(at: url)
        if let name = arguments["add"] { try package.add(name, copyOf: arguments["from"] ?? package.current()) }
        if let name = arguments["set-current"] { try package.setCurrent(name) }
    }
}
