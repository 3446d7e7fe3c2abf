import CoreDataBrowserServer
import CoreDataPrinting
import CoreDataSyncing
import CoreDataWorkbench

/// `sync conflicts`: lists the attributes of which a value lost.
struct SyncConflictsCommand: Command {
    private static let usualCount = 200

    let syntax = CommandSyntax(
        name: ["sync", "conflicts"],
        summary: "Lists the attributes of which a value lost, and that were not written since, the latest first.",
        operands: [.store],
        options: [
            .folder,
            Option("limit", value: "N", help: "How many are listed; \(usualCount) by default. All are counted."),
            .model,
            .format([.table, .json]),
        ],
        details: [
            "A value loses to one that was written without knowledge of it, by the merge rule of the attribute, or to a deletion. "
                + "'sync why STORE OBJECT ATTRIBUTE --restore N' puts one back.",
            "json is an array with a conflict a line: {\"object\", \"identity\", \"entity\", \"attribute\", \"rule\", \"writes\"}, with the "
                + "writes as 'sync why' prints them; \"object\" is null for one that is deleted.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let limit = try arguments["limit"] == nil ? Self.usualCount : arguments.number("limit")
        let found = try SyncedPlace(arguments, for: .inspecting).run { try await $0.conflicts(limit: limit) }
        guard arguments.format == .table else { return output.list(found.conflicts.map(\.json)) }
        if found.count == 0 { return output.say("no conflicts") }
        var table = TextTable(
            [
                .init(label: "OBJECT"), .init(label: "ATTRIBUTE"), .init(label: "RULE"), .init(label: "PEER"),
                .init(label: "TIME"), .init(label: "LOST"), .init(label: "CHOSEN"),
            ], limit: Terminal.width)
        for conflict in found.conflicts {
            let chosen = conflict.writes.filter(\.isChosen).map { $0.value ?? "null" }.joined(separator: ", ")
            for lost in conflict.lost {
                let cells = [
                    Self.name(conflict), conflict.attribute, conflict.rule, lost.peer, ISODate.text(lost.date),
                    lost.value ?? "null", chosen,
                ]
                table.add(cells.map { PrintableText.escaped($0) }, to: output)
            }
        }
        table.finish(output)
        if found.count > found.conflicts.count {
            output.say("\(found.conflicts.count) of \(found.count) conflicts are listed; --limit lists more")
        }
    }

    private static func name(_ conflict: SyncConflict) -> String {
        conflict.objectID?.shortText ?? "\(conflict.entity) \(conflict.object)"
    }
}
