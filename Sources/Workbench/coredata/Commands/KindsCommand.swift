import CoreDataKinds
import CoreDataPrinting
import CoreDataWorkbench

/// `kinds`: lists the kinds that there are, or those that the attributes of a store have.
struct KindsCommand: Command {
    let syntax = CommandSyntax(
        name: ["kinds"],
        summary: "Lists what values can mean beyond their type, and which attributes of a store mean it.",
        operands: [
            CommandOperand(
                name: "STORE",
                help: "The path of a store, or its postgresql:// URL; without it the kinds that there are.",
                isOptional: true)
        ],
        options: [
            Option("entity", value: "NAME", help: "The entity to look at; all by default."),
            .model,
            Option(
                "format", value: "table|json", help: "How to print the result; table by default.",
                choices: ["table", "json"]),
        ],
        details: [
            "A kind is named in the user info of an attribute, under \(KindParameters.userInfoKey), which no version hash covers; "
                + "\(KindParameters.userInfoKey).NAME is a parameter of it, and the kind \(KindParameters.none) ends all guesses. "
                + "Otherwise names, types and the first values decide.",
            "json of a store is [{\"entity\", \"kind\", \"key\", \"origin\", \"others\", \"parameters\", \"example\"}].",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        guard !arguments.operands.isEmpty else { return list(arguments, output) }
        let store = try OpenStore(at: arguments.path(0), model: arguments.model)
        store.reportProblems()
        let entities = try arguments["entity"].map { [try store.entity(named: $0)] } ?? store.entities
        var found: [(entity: String, use: KindUse, example: KindReading?)] = []
        for entity in entities {
            let kinds = try store.kinds(of: entity)
            for problem in kinds.problems { Warnings().add(entity.name ?? "", problem) }
            let examples = try store.examples(of: kinds, entity)
            found += kinds.uses.map { (entity.name ?? "", $0, examples[$0.key]) }
        }
        print(found, arguments, output)
    }

    private func print(
        _ found: [(entity: String, use: KindUse, example: KindReading?)], _ arguments: Arguments,
        _ output: StandardOutput
    ) {
        if arguments["format"] == "json" {
            let rows = found.map { entity, use, example -> JSONValue in
                guard case .members(let members) = use.json else { return .null }
                return .members(
                    [JSONValue.Member(key: "entity", value: .string(entity))] + members
                        + [JSONValue.Member(key: "example", value: example?.json ?? .null)])
            }
            return output.line(JSONWriter.lines(.array(rows)))
        }
        var table = TextTable(
            ["entity", "key", "kind", "origin", "example"].map { .init(title: $0, isNumber: false) },
            limit: Terminal.width)
        for (entity, use, example) in found {
            let keys = ([use.key] + use.others.sorted { $0.key < $1.key }.map(\.value)).joined(separator: ", ")
            table.add([entity, keys, use.kind, use.origin.rawValue, example?.text ?? ""], to: output)
        }
        table.finish(output)
    }

    private func list(_ arguments: Arguments, _ output: StandardOutput) {
        if arguments["format"] == "json" {
            let kinds = KindRegistry.all.map { kind in
                JSONValue.object([
                    ("name", .string(kind.name)), ("summary", .string(kind.summary)),
                    ("types", .array(kind.types.map { "\($0)" }.sorted().map { .string($0) })),
                ])
            }
            return output.line(JSONWriter.lines(.array(kinds)))
        }
        var table = TextTable(["kind", "meaning"].map { .init(title: $0, isNumber: false) }, limit: Terminal.width)
        for kind in KindRegistry.all { table.add([kind.name, RunLanguage.text(kind.summary)], to: output) }
        table.finish(output)
    }
}
