import CoreDataBrowserServer
import CoreDataPrinting
import CoreDataSyncing
import CoreDataWorkbench

/// `sync why`: prints who wrote the value of an attribute.
struct SyncWhyCommand: Command {
    let syntax = CommandSyntax(
        name: ["sync", "why"],
        summary: "Prints who wrote the value of an attribute of an object, when, which rule chose it, and what lost.",
        operands: [
            .store, CommandOperand(name: "OBJECT-URI", help: "The address of the object, as Hero/p1."),
            CommandOperand(name: "ATTRIBUTE", help: "The attribute; of an element of a composite its path."),
        ],
        options: [
            .folder,
            Option(
                "restore", value: "N",
                help:
                    "Put the value with this number back, which lost: it is saved, and travels with the next exchange."),
            .model, .format([.table, .json]),
        ],
        details: [
            "A value that lost is there until the attribute is written again; 'sync conflicts' lists all of them.",
            "json is {\"entity\", \"attribute\", \"rule\", \"value\", \"writes\": [{\"peer\", \"date\", \"value\", \"chosen\", "
                + "\"transaction\", \"identity\"}], \"objects\"}, with the values as text.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let place = try SyncedPlace(arguments, for: .inspecting)
        let identifier: NSManagedObjectID
        do { identifier = try place.store.withObject(at: arguments.operands[1]) { $0.id } } catch {
            place.store.close()
            throw error
        }
        let attribute = arguments.operands[2]
        let restored = try arguments["restore"] == nil ? nil : arguments.number("restore")
        let command = arguments
        let found = try place.run { session in
            let found = try await session.why(identifier, attribute)
            guard let restored else { return found }
            guard found.writes.indices.contains(restored - 1) else {
                throw command.error("--restore takes the number of a value, from 1 to \(found.writes.count)")
            }
            try await session.restore(found.writes[restored - 1], of: identifier, attribute)
            return found
        }
        guard arguments.format == .table else { return output.line(JSONWriter.lines(Self.json(found))) }
        if let restored {
            let text = PrintableText.escaped(found.writes[restored - 1].value ?? "null")
            return output.say("\(attribute) is \(text) again; 'sync now' sends it")
        }
        output.line("\(RunLanguage.text("rule")): \(found.rule)")
        for (number, write) in found.writes.enumerated() {
            let text = PrintableText.escaped(write.value ?? "null")
            let state = RunLanguage.text(write.isChosen ? "chosen" : "lost")
            output.line("\(number + 1)  \(state)  \(write.peer)  \(ISODate.text(write.date))  \(text)")
        }
    }

    private static func json(_ found: SyncExplanation) -> JSONValue {
        .object([
            ("entity", .string(found.entity)), ("attribute", .string(found.attribute)), ("rule", .string(found.rule)),
            ("value", found.value.map { .string($0) } ?? .null), ("writes", .array(found.writes.map(\.json))),
            ("objects", .array(found.objects.map { .string($0) })),
        ])
    }
}
