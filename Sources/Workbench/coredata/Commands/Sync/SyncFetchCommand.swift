import CoreData
import CoreDataBrowserServer
import CoreDataPrinting
import CoreDataSyncing
import CoreDataWorkbench

/// `sync fetch`: fetches large values that come on demand.
struct SyncFetchCommand: Command {
    let syntax = CommandSyntax(
        name: ["sync", "fetch"],
        summary: "Fetches large values that come on demand: one of an object, or all that are not here.",
        operands: [
            .store,
            CommandOperand(
                name: "OBJECT-URI", help: "The address of the object, as Hero/p1.", isOptional: true),
            CommandOperand(
                name: "ATTRIBUTE", help: "The attribute; of an element of a composite its path.", isOptional: true),
        ],
        options: [
            .folder, Option("all", help: "Fetch all large values that are not here."), .model,
            .format([.table, .json]),
        ],
        details: [
            "'sync status' lists what is not here. What the transport cannot give now comes with later exchanges.",
            "json is {\"absent\"}: how many large values are still not here.",
            "Exit code 1 if what was asked for is not here yet.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let isWhole = arguments.has("all")
        guard isWhole == (arguments.operands.count == 1), arguments.operands.count != 2 else {
            throw arguments.error("name an object and an attribute, or give --all")
        }
        let place = try SyncedPlace(arguments)
        var identifier: NSManagedObjectID?
        if !isWhole {
            do { identifier = try place.store.withObject(at: arguments.operands[1]) { $0.id } } catch {
                place.store.close()
                throw error
            }
        }
        let (object, attribute) = (identifier, arguments.operands.last ?? "")
        let (isHere, absent) = try place.run { session in
            var isHere = true
            if let object {
                isHere = try await session.fetch(object, attribute)
            } else {
                isHere = try await session.fetchAll() == 0
            }
            return (isHere, try await session.status().absentValues.count)
        }
        if arguments.format == .json {
            output.line(JSONWriter.line(.object([("absent", .count(absent))])))
        } else if isHere {
            output.say("what was asked for is here")
        } else {
            output.say("not all is here yet: later exchanges go on")
        }
        if !isHere { throw ExitStatus(code: 1) }
    }
}
