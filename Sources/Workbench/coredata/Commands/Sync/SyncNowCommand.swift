import CoreDataBrowserServer
import CoreDataPrinting
import CoreDataSyncing
import CoreDataWorkbench

/// `sync now`: exchanges once.
struct SyncNowCommand: Command {
    let syntax = CommandSyntax(
        name: ["sync", "now"],
        summary: "Captures what was saved in a store, applies what its peers wrote, and writes what they lack.",
        operands: [.store],
        options: [
            .folder,
            Option(
                "compare",
                help: "Compare all objects with what was last known, for edits that the history does not have."),
            Option(
                "wait", value: "TIME",
                help: "For how long devices nearby are waited for, and exchanged with (as 15s, 2m); 20s by default."),
        ] + NearbyPlace.options + [
            .model, .format([.table, .json]),
        ],
        details: [
            "An exchange that is broken off loses nothing: the next one goes on. Items that are damaged are refused once, and left in "
                + "the folder.",
            "With devices nearby it ends when all that take part have the same, or after --wait; it fails if none was connected.",
            "json is {\"inserted\", \"updated\", \"deleted\", \"readBytes\", \"writtenBytes\", \"refused\": [{\"item\", \"reason\"}], "
                + "\"reports\"}.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let isComparing = arguments.has("compare")
        let place = try SyncedPlace(arguments)
        let patience = try arguments.duration("wait") ?? 20
        let nearby = try place.nearby.map { try NearbyMeeting($0, arguments, output) }
        let summary = try place.run { session in
            guard let nearby else { return try await session.exchange(comparing: isComparing) }
            return try await nearby.exchangeOnce(session, comparing: isComparing, within: patience)
        }
        for refusal in summary.refused {
            StandardError.write(
                "\(Release.name): warning: \(PrintableText.escaped(refusal.item)): refused: \(refusal.reason)")
        }
        guard arguments.format == .table else {
            return output.line(JSONWriter.line(summary.json))
        }
        output.say("\(summary.inserted) inserted, \(summary.updated) updated, \(summary.deleted) deleted here")
        output.say("\(summary.readBytes) bytes read, \(summary.writtenBytes) written")
        for report in summary.reports { output.say(report) }
    }
}
