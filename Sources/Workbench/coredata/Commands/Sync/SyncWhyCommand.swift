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
        options: [.folder, .model, .format([.table, .json])],
        details: [
            "json is {\"entity\", \"attribute\", \"rule\", \"value\", \"writes\": [{\"peer\", \"date\", \"value\", \"chosen\"}], \"objects\"}, "
                + "with the values as text. A value that lost is put back with 'set'."
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let place = try SyncedPlace(arguments)
        let identifier: NSManagedObjectID
        do { identifier = try place.store.withObject(at: arguments.operands[1]) { $0.id } } catch {
            place.store.close()
            throw error
        }
        let attribute = arguments.operands[2]
        let found = try place.run { try await $0.why(identifier, attribute) }
        guard arguments.format == .table else { return output.line(JSONWriter.lines(Self.json(found))) }
        output.line("\(RunLanguage.text("rule")): \(found.rule)")
        for write in found.writes {
            let text = PrintableText.escaped(write.value ?? "null")
            output.line(
                "\(RunLanguage.text(write.isChosen ? "chosen" : "lost"))  \(write.peer)  \(ISODate.text(write.date))  \(text)"
            )
        }
    }

    private static func json(_ found: SyncExplanation) -> JSONValue {
        let writes = found.writes.map { write in
            JSONValue.object([
                ("peer", .string(write.peer)), ("date", .string(ISODate.text(write.date))),
                ("value", write.value.map { .string($0) } ?? .null), ("chosen", .bool(write.isChosen)),
            ])
        }
        return .object([
            ("entity", .string(found.entity)), ("attribute", .string(found.attribute)), ("rule", .string(found.rule)),
            ("value", found.value.map { .string($0) } ?? .null), ("writes", .array(writes)),
            ("objects", .array(found.objects.map { .string($0) })),
        ])
    }
}
