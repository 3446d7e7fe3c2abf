import CoreDataExchange
import CoreDataJobs
import CoreDataPrinting
import CoreDataWorkbench

/// `export`: writes objects of a store to files that `import` can read.
struct ExportCommand: Command {
    let syntax = CommandSyntax(
        name: ["export"],
        summary: "Writes the objects of a store, or of some entities, as they are at one moment.",
        operands: [
            .store,
            CommandOperand(
                name: "ENTITY", help: "An entity, with its sub-entities; all of the store unless one is named.",
                isRepeated: true, isOptional: true),
        ],
        options: [
            Option(
                "to", value: "json|jsonl|csv|URL",
                help:
                    "The form: one array of JSON; an object a line; or tables. Without it the one that the end of the file's name "
                    + "says, else an object a line. Or a URL of http or https, to which the objects are sent."),
            Option(
                "form", value: "json|jsonl|csv", help: "The form of what is sent to a URL; json by default.",
                choices: ["json", "jsonl", "csv"]),
            Option(
                "mapping", value: "FILE",
                help: "Send to a URL the document that this mapping reads, so that an import by it makes equal objects."
            ),
            Option(
                "method", value: "POST|PUT", help: "How to send to a URL; POST by default.", choices: ["POST", "PUT"]),
            Option(
                "header", value: "NAME: VALUE", help: "A header field of the requests; may be given several times.",
                isRepeated: true),
            .account,
            Option("portion", value: "N", help: "Send at most N objects in a request. Without it all in one."),
            Option(
                "output", letter: "o", value: "FILE|FOLDER",
                help:
                    "Where to write; a file gets its name when it is whole. Tables of several entities go into a folder, a "
                    + "file an entity. Without it standard output."),
            .where,
            Option("keys", value: "A,B", help: "The properties to write. Without it all that are stored."), .model,
            .progress, .noProgress,
        ],
        details: [
            "An object is {\"objectID\", \"entity\", \"attributes\", \"relationships\"}. Every value comes back exactly: dates "
                + "are ISO 8601 in UTC with as many digits as they need (or @ and seconds since 2001), data and what "
                + "transformers made are the stored bytes in base64, decimals are texts.",
            "A link is written once: at the to-one end, or at one of two to-many ends. Ordered relationships are written "
                + "whole. Derived and transient properties are rebuilt by an import.",
            "In tables a composite attribute has a column an element, such as color.red, which --keys can name too.",
            "What is sent lies in temporary files until then; where a server refuses it, the error says which objects were accepted "
                + "before.",
            "A value that cannot be read is null, and a line on standard error says why.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let form = try form(arguments)
        let keys = arguments["keys"].map { ObjectQuery.list($0) }
        let store = try OpenStore(at: arguments.path(0), model: arguments.model, for: .exporting)
        store.reportProblems()
        let warnings = Warnings()
        defer { warnings.finish() }
        let format: ListFormat = form == .json ? .json : .jsonLines
        if let place = arguments["to"], ImportFile.isOnWeb(place) {
            return try send(store, to: place, as: form, keys: keys, arguments, output, warnings)
        }
        let export = try StoreExport(
            store, entities: Array(arguments.operands.dropFirst()), where: arguments["where"], keys: keys)
        if form == .csv {
            return try writeTables(export, arguments: arguments, output: output, warnings: warnings)
        }
        guard let path = arguments["output"], path != "-" else {
            _ = try export.write(as: format, failures: warnings.add) { bytes in
                output.write(bytes)
                try output.check()
            }
            return
        }
        try OutputFile.leavingNothing {
            let file = try OutputFile(path)
            let count = try arguments.progress("exporting").showing { line in
                if arguments.showsProgress { line.update(0, of: Int64(try export.count())) }
                return try export.write(
                    as: format, failures: warnings.add, progress: { line.update(Int64($0)) }, to: { try file.write($0) }
                )
            }
            try file.finish()
            output.say("exported \(Count.objects(count))")
        }
    }

    /// The form that `--to` names, or of what is sent to a URL `--form`.
    private func form(_ arguments: Arguments) throws -> ImportFormat {
        let word = arguments["to"] ?? formOfName(arguments["output"])
        if ImportFile.isOnWeb(word) {
            for other in ["output"] where arguments.has(other) {
                throw arguments.error("--\(other) and --to URL contradict each other")
            }
            return arguments["form"].flatMap(ImportFormat.init(rawValue:)) ?? .json
        }
        for option in ["form", "mapping", "method", "header", "account", "portion"] where arguments.has(option) {
            throw arguments.error("--\(option) goes with --to URL")
        }
        guard let form = ImportFormat(rawValue: word), form != .xml else {
            throw arguments.error("--to takes json, jsonl, csv or a URL, not '\(PlaceWord.shown(word))'")
        }
        return form
    }

    /// The form that the end of a file's name says; an object a line where it says none.
    private func formOfName(_ path: String?) -> String {
        let ending = path.map { URL(fileURLWithPath: $0).pathExtension.lowercased() } ?? ""
        return ["json", "csv"].contains(ending) ? ending : "jsonl"
    }

    private func send(
        _ store: OpenStore, to place: String, as form: ImportFormat, keys: [String]?, _ arguments: Arguments,
        _ output: StandardOutput, _ warnings: Warnings
    ) throws {
        let entities = Array(arguments.operands.dropFirst())
        let content: WebExport.Content
        if let path = arguments["mapping"] {
            for other in ["where", "keys"] where arguments.has(other) {
                throw arguments.error("--\(other) does not go with --mapping")
            }
            content = .mapped(
                try MappedExport(store, by: ImportMapping(file: path), as: form, entities: entities))
        } else {
            guard form != .csv || entities.count == 1 else { throw arguments.error("a table needs one ENTITY") }
            content = .objects(
                try StoreExport(store, entities: entities, where: arguments["where"], keys: keys), form)
        }
        var access = try arguments.webAccess()
        for header in arguments.all("header") {
            let parts = header.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, !parts[0].isEmpty else { throw arguments.error("--header takes NAME: VALUE") }
            if arguments.has("account"), parts[0].lowercased() == "authorization" {
                throw arguments.error("--header Authorization and --account contradict each other")
            }
            access.fields[parts[0]] = parts[1]
        }
        let portion = try arguments.number("portion")
        let export = try WebExport(
            to: place, method: arguments["method"] ?? "POST", portion: portion > 0 ? portion : nil, by: access)
        let report = try arguments.progress("sending").showing { line in
            try export.run(content, failures: warnings.add) { line.update(Int64($0), of: Int64($1)) }
        }
        let requests = "\(report.requests) \(report.requests == 1 ? "request" : "requests")"
        output.say("sent \(Count.objects(report.objects)) in \(requests)")
    }

    /// Writes one table to a file or standard output, or a file for each entity into a folder.
    private func writeTables(
        _ export: StoreExport, arguments: Arguments, output: StandardOutput, warnings: Warnings
    ) throws {
        let isOneTable = arguments.operands.count == 2
        guard let path = arguments["output"], path != "-" else {
            guard isOneTable else {
                throw arguments.error("tables of several entities need a folder: -o FOLDER", hint: "or name one entity")
            }
            _ = try export.writeTables(
                isOneTable: true, failures: warnings.add, begin: { _ in },
                to: { bytes in
                    output.write(bytes)
                    try output.check()
                })
            return
        }
        if !isOneTable, !arguments.has("to") {
            throw arguments.error(
                "one file takes the table of one entity", hint: "name the entity, or give --to csv -o FOLDER")
        }
        try OutputFile.leavingNothing {
            if !isOneTable { try OutputFile.makeFolder(path) }
            var files: [OutputFile] = []
            let count = try arguments.progress("exporting").showing { line in
                if arguments.showsProgress { line.update(0, of: Int64(try export.count())) }
                return try export.writeTables(
                    isOneTable: isOneTable, failures: warnings.add, progress: { line.update(Int64($0)) },
                    begin: { name in
                        try files.last?.flush()
                        let place = URL(fileURLWithPath: path).appendingPathComponent(name).path + ".csv"
                        files.append(try OutputFile(isOneTable ? path : place))
                    }, to: { try files.last?.write($0) })
            }
            for file in files { try file.finish() }
            let objects = Count.objects(count)
            output.say(isOneTable ? "exported \(objects)" : "exported \(objects) in \(files.count) tables")
        }
    }
}
