import CoreDataMigrationPlanning
import CoreDataPrinting
import CoreDataWorkbench

/// `model versions`: lists the versions of a model; adds one, changes the current one, or removes those that no store
/// needs.
struct ModelVersionsCommand: Command {
    let syntax = CommandSyntax(
        name: ["model", "versions"],
        summary:
            "Lists the versions of a model; adds one, makes another one current, or removes those that are not needed.",
        operands: [CommandOperand(name: "PACKAGE", help: "An .xcdatamodeld, or a .momd, which is only listed.")],
        options: [
            Option("set-current", value: "NAME", help: "Makes a version the current one, also an older one."),
            Option("add", value: "NAME", help: "Adds a version as a copy; the current one stays current."),
            Option("from", value: "NAME", help: "The version that --add copies; the current one without it."),
            Option("prune", help: "Removes the versions that none of the stores needs, after asking."),
            Option(
                "stores", value: "STORE", help: "A store of a version that is in use, for --prune.", isRepeated: true
            ),
            Option("yes", help: "Do not ask before versions are removed."),
            Option("dry-run", help: "Only tell what --prune would remove."), .format([.table, .json]),
        ],
        details: [
            "'--add NAME --set-current NAME' does both.",
            "'--prune --stores A --stores B' lists which versions the stores need. The current one, and what cannot be "
                + "read, always stays; a store whose version is none of these is refused, and nothing is removed. Without "
                + "a terminal nothing is removed unless --yes is given.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let url = arguments.path(0)
        if arguments.has("from"), !arguments.has("add") { throw arguments.error("--from goes with --add") }
        if let option = ["stores", "yes", "dry-run"].first(where: arguments.has), !arguments.has("prune") {
            throw arguments.error("--\(option) goes with --prune")
        }
        if arguments.has("prune") { return try prune(url, arguments: arguments, output: output) }
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
            output.say(PrintableText.escaped("unreadable version '\(name)': \(reason)"))
        }
    }

    private func prune(_ url: URL, arguments: Arguments, output: StandardOutput) throws {
        guard !arguments.has("add"), !arguments.has("set-current") else {
            throw arguments.error("--prune goes alone")
        }
        guard arguments.has("stores") else {
            throw arguments.error("--prune needs --stores STORE for each version that is in use")
        }
        try refuseCompiled(url)
        let stores = arguments.all("stores").map(PlaceWord.url)
        let pruning = try ModelPruning(url, stores: stores)
        let isJSON = arguments.format == .json
        if !isJSON { list(pruning, output) }
        guard !pruning.removable.isEmpty else {
            return output.line(isJSON ? JSONWriter.lines(pruning.report(isDone: false)) : "there is nothing to remove")
        }
        try output.flush()
        let isDone = try isConfirmed(arguments)
        if isDone { try pruning.run() }
        guard !isJSON else { return output.line(JSONWriter.lines(pruning.report(isDone: isDone))) }
        output.say(isDone ? "removed" : "nothing was removed")
    }

    private func isConfirmed(_ arguments: Arguments) throws -> Bool {
        guard !arguments.has("dry-run") else { return false }
        return try Confirmation.isGiven(arguments, question: "Remove the versions that are not needed?")
    }

    private func list(_ pruning: ModelPruning, _ output: StandardOutput) {
        var table = TextTable(["VERSION", "NEEDED", "BY"].map { .init(title: $0) }, limit: Terminal.width)
        for version in pruning.versions {
            let reasons = (version.isCurrent ? ["current"] : []) + [version.reason].compactMap(\.self) + version.stores
            table.add(
                [version.name, version.isNeeded ? "yes" : "no", reasons.joined(separator: ", ")].map {
                    PrintableText.escaped($0)
                }, to: output)
        }
        table.finish(output)
    }

    private func refuseCompiled(_ url: URL) throws {
        guard ModelPackage.isCompiled(url) else { return }
        throw InspectionError(
            .readOnly, subject: url.path, cause: "a compiled model is not changed",
            hint: "change its source and compile it again")
    }

    private func change(_ url: URL, _ arguments: Arguments) throws {
        try refuseCompiled(url)
        let package = try SourcePackage(at: url)
        if let name = arguments["add"] { try package.add(name, copyOf: arguments["from"] ?? package.current()) }
        if let name = arguments["set-current"] { try package.setCurrent(name) }
    }
}
