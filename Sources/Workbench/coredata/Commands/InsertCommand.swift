import CoreDataPrinting
import CoreDataWorkbench

/// `insert`: inserts objects.
struct InsertCommand: Command {
    let syntax = CommandSyntax(
        name: ["insert"],
        summary: "Inserts objects, all in one transaction or none, and prints their addresses, a line each.",
        operands: [
            .store,
            CommandOperand(
                name: "ENTITY",
                help: "The entity of the objects. It can be left out where each object of JSON names its own.",
                isOptional: true),
            CommandOperand(
                name: "KEY=VALUE", help: "A property and its value, the same for all objects.", isRepeated: true,
                isOptional: true),
        ],
        options: Option.json + [.dryRun, .model, .format([.table, .json])],
        details: [
            "JSON is one object, an array of objects, or one object after another. An object is {\"key\": value, …}, or "
                + "has the form that 'fetch --format json' prints. Then objects can name each other by 'objectID', "
                + "which stands for the one that is inserted. What KEY=VALUE names goes before what JSON says.",
            "What is not given has the model's default.",
        ] + Help.values)

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        var words = Array(arguments.operands.dropFirst())
        let entity = words.first.flatMap { $0.contains("=") ? nil : $0 }
        if entity != nil { words.removeFirst() }
        guard entity != nil || arguments.has("json") || arguments.has("json-file") else {
            throw arguments.error("ENTITY is missing")
        }
        let insertion = try Insertion(entity: entity, words, input: arguments.objects())
        let store = try OpenStore(at: arguments.path(0), model: arguments.model, for: .editing)
        store.reportProblems()
        let inserted = try insertion.apply(in: store, mode: arguments.mode)
        if arguments.format == .json { return output.list(inserted.map(\.json)) }
        for object in inserted { if let id = object.id { output.line(PrintableText.escaped(id.uri)) } }
        if arguments.mode == .dryRun { printCounts(inserted, output) }
    }

    private func printCounts(_ inserted: [Insertion.Outcome], _ output: StandardOutput) {
        for (entity, objects) in Dictionary(grouping: inserted, by: \.entity).sorted(by: { $0.key < $1.key }) {
            output.say("would insert \(Count.objects(objects.count)) of entity \(PrintableText.escaped(entity))")
        }
        if inserted.isEmpty { output.say("would insert no object") }
    }
}
