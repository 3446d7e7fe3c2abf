import CoreDataExchange
import CoreDataJobs
import CoreDataPrinting
import CoreDataWorkbench

/// `import`: inserts and updates objects of a store from files.
struct ImportCommand: Command {
    private static let shownRefusals = 10

    let syntax = CommandSyntax(
        name: ["import"],
        summary: "Puts the objects of files into a store, by the rules of its model: all of them, or none.",
        operands: [
            .store,
            CommandOperand(
                name: "FILE|URL",
                help: "What 'export' or 'fetch' wrote, or its http or https URL; '-' is standard input.",
                isRepeated: true),
        ],
        options: [
            Option(
                "from", value: "json|jsonl|csv|xml",
                help: "The form of the files; by default, what their names end in.",
                choices: ImportFormat.allCases.map(\.rawValue)),
            Option(
                "entity", value: "NAME", help: "The entity of objects that name none, and of the entries of a feed."),
            Option(
                "mapping", value: "FILE|feed",
                help:
                    "A property list that says where the records of a document lie and what becomes of them; 'feed' takes "
                    + "the entries of RSS, Atom or JSON Feed into the entity of --entity."),
            Option(
                "fetch-always",
                help: "Read URLs also if they have not changed since the same import was last made."),
            Option("map", value: "OLD=NEW,…", help: "Keys of the files, and the names of the properties they are."),
            Option("leave-out", value: "KEY,…", help: "Keys of the files that are not imported."),
            Option(
                "guess",
                help:
                    "Import nothing; print the columns of FILE, and for which properties their names speak, as \"columns\" of "
                    + "{\"name\", \"property\", \"samples\"}."),
            Option(
                "guess-mapping", value: "OUT",
                help: "Import nothing; write the mapping for which the names and values of FILE speak, to be corrected."
            ),
            Option(
                "match", value: "KEY,…|constraint|id",
                help:
                    "Objects of the store with the same values of KEY, or of a uniqueness constraint, or the same address "
                    + "are changed; others are inserted. Without it all are inserted."),
            Option(
                "rejects", value: "FILE",
                help:
                    "Leave out objects that the model refuses, and write why, as {\"file\", \"line\", \"column\", \"reason\"} a line."
            ),
            .account, .dryRun, Option("create", help: "Make the store, which is not there, with --model."), .model,
            .progress, .noProgress, .format([.table, .json]),
        ],
        details: [
            "Objects can name each other, in circles too, by the \"objectID\" they have in the files, or name objects of the "
                + "store. What a file does not say of a new object has the model's default, of another stays as it is; what "
                + "is equal is not written.",
            "A table of csv has titles: names of properties, of elements of composite attributes such as color.red, objectID "
                + "and entity. An empty field is nil, \"\" an empty text, a to-many relationship a list of addresses with "
                + "blanks. A table without the column entity is of the entity that the file is named after.",
            "With --mapping a file is any document of json, jsonl, xml or csv; the mapping says which of its values become "
                + "which properties, what is looked for, made or left, and where the next page is.",
            "All is one transaction. Where an object is refused, nothing is changed, unless --rejects says where to write "
                + "that.",
            "Of URLs whose server names versions (ETag, Last-Modified) the store remembers which it has: the same import of the "
                + "same versions reads nothing, says 'not changed', and ends with code 0.",
            "Exit code 1 where an object was refused.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        if arguments.has("guess") { return try guess(arguments, output) }
        if let path = arguments["guess-mapping"] { return try guessMapping(arguments, to: path) }
        if arguments.has("create"), !arguments.has("model") { throw arguments.error("--create needs --model PATH") }
        if arguments.has("rejects"), arguments.operands.dropFirst().contains("-") {
            throw arguments.error("--rejects needs files that can be read twice, not standard input")
        }
        let (source, isChanged) = try source(arguments)
        guard isChanged else { return print(.unread, arguments: arguments, output: output) }
        let report = try OutputFile.leavingNothing {
            let rejects = try arguments["rejects"].map { try OutputFile($0) }
            let report =
                arguments.has("create")
                ? try TemporaryStoreWriting(at: arguments.path(0), model: arguments.model).fill(keeping: \.isSaved) {
                    try importFiles(source, into: $0, arguments, rejects)
                } : try importFiles(source, into: store(arguments), arguments, rejects)
            try rejects?.finish()
            return report
        }
        print(report, arguments: arguments, output: output)
        if report.refused > 0 { throw ExitStatus(code: 1) }
    }

    /// What is to be imported, and whether any of it has changed since it was last imported.
    private func source(_ arguments: Arguments) throws -> (PlaceImport, isChanged: Bool) {
        for other in ["map", "leave-out", "match"] where arguments.has("mapping") && arguments.has(other) {
            throw arguments.error("--mapping says what --\(other) says without it")
        }
        if arguments.has("account"), !arguments.operands.dropFirst().contains(where: ImportFile.isOnWeb) {
            throw arguments.error("--account goes with a URL")
        }
        var request = ImportRequest(files: [ImportFile]())
        request.format = arguments["from"].flatMap(ImportFormat.init(rawValue:))
        request.entity = arguments["entity"]
        request.renames = try renames(arguments)
        request.leftOut = Set(ObjectQuery.list(arguments["leave-out"]))
        request.match = try arguments["match"].map { try MatchRule($0) }
        request.mode = arguments.mode
        request.passesOverRefused = arguments.has("rejects")
        let source = PlaceImport(
            Array(arguments.operands.dropFirst()), request,
            by: try arguments["mapping"].map { try PlaceImport.Mapping($0) },
            fetch: { try arguments.fetched($0, unless: $1) })
        let facts = arguments.has("create") ? nil : try StoreFacts(at: arguments.path(0))
        return (source, try source.begin(unlessKnownTo: arguments.has("fetch-always") ? nil : facts?.metadata))
    }

    private func guessMapping(_ arguments: Arguments, to path: String) throws {
        guard arguments.operands.count == 2, arguments.operands[1] != "-" else {
            throw arguments.error("--guess-mapping looks at one file that can be read twice")
        }
        let facts = try StoreFacts(at: arguments.path(0))
        let mapping = try MappingGuess(
            arguments.fetched(arguments.operands[1]), as: arguments["from"].flatMap(ImportFormat.init(rawValue:)),
            entity: arguments["entity"], for: OpenStore.model(at: arguments.model, for: facts).model)
        try OutputFile.leavingNothing {
            let file = try OutputFile(path)
            try mapping.propertyList.withUnsafeBytes { try file.write($0) }
            try file.finish()
        }
    }

    private func guess(_ arguments: Arguments, _ output: StandardOutput) throws {
        guard arguments.operands.count == 2, arguments.operands[1] != "-" else {
            throw arguments.error("--guess looks at one file that can be read twice")
        }
        let facts = try StoreFacts(at: arguments.path(0))
        let preview = try ImportPreview(
            arguments.fetched(arguments.operands[1]), as: arguments["from"].flatMap(ImportFormat.init(rawValue:)),
            entity: arguments["entity"], for: OpenStore.model(at: arguments.model, for: facts).model)
        if arguments.format == .json { return output.line(JSONWriter.line(preview.json)) }
        output.say("entity: \(PrintableText.escaped(preview.entity ?? "(none found)"))")
        for column in preview.columns {
            output.line(PrintableText.escaped("\(column.name) -> \(column.property ?? "(nothing)")"))
        }
    }

    private func store(_ arguments: Arguments) throws -> OpenStore {
        let store = try OpenStore(at: arguments.path(0), model: arguments.model, for: .importing)
        store.reportProblems()
        return store
    }

    private func importFiles(
        _ source: PlaceImport, into store: OpenStore, _ arguments: Arguments, _ rejects: OutputFile?
    ) throws -> ImportReport {
        try source.prepare(for: store.coordinator.managedObjectModel)
        let sizes = source.files.map {
            (try? URL(fileURLWithPath: $0.path).resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
        }
        var shown = 0
        return try arguments.progress("importing", of: sizes.reduce(0, +)).showing { line in
            try source.run(
                in: store,
                refused: { record in
                    try rejects?.line(JSONWriter.line(record.json))
                    shown += 1
                    guard shown <= Self.shownRefusals else { return }
                    line.clear()
                    let text = "\(record.file):\(record.line): \(record.answer ?? record.reason)"
                    StandardError.write("\(Release.name): \(PrintableText.escaped(text, limit: 500))")
                }, progress: { line.update(Int64($0)) })
        }
    }

    private func print(_ report: ImportReport, arguments: Arguments, output: StandardOutput) {
        if report.refused > Self.shownRefusals {
            StandardError.write("\(Release.name): \(report.refused - Self.shownRefusals) more were refused")
        }
        if arguments.format == .json { return output.line(JSONWriter.line(report.json)) }
        for line in Self.lines(of: report) { output.say(line) }
    }

    /// What came of an import, as lines.
    static func lines(of report: ImportReport) -> [String] {
        if report.isUnread { return ["not changed since the last import"] }
        let total = total(of: report)
        return report.entities.sorted { $0.key < $1.key }.map { "\(PrintableText.escaped($0.key)): \(text($0.value))" }
            + [report.isSaved ? total : "nothing was changed; it would be \(total)"]
    }

    /// The counts of an import in one line.
    static func total(of report: ImportReport) -> String { "\(text(report.total)), \(report.refused) refused" }

    private static func text(_ counts: ImportReport.Counts) -> String {
        "\(counts.inserted) inserted, \(counts.updated) updated, \(counts.unchanged) unchanged"
    }

    private func renames(_ arguments: Arguments) throws -> [String: String] {
        var names: [String: String] = [:]
        for part in ObjectQuery.list(arguments["map"]) {
            let words = part.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            guard words.count == 2, !words[0].isEmpty, !words[1].isEmpty else {
                throw arguments.error("--map takes OLD=NEW, not '\(part)'")
            }
            guard names.updateValue(words[1], forKey: words[0]) == nil else {
                throw arguments.error("--map names '\(words[0])' twice")
            }
        }
        return names
    }
}
