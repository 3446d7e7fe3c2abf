import CoreDataPrinting
import CoreDataSyncHub
import CoreDataSyncHubServer
import CoreDataWorkbench

/// `sync admit`: admits the key of a device to a hub.
struct SyncAdmitCommand: Command {
    let syntax = CommandSyntax(
        name: ["sync", "admit"],
        summary: "Admits the key of a device to a hub, or strikes it off; lists the admitted keys without one.",
        operands: [
            CommandOperand(
                name: "PIN", help: "The 64 digits of the key, as the device shows them when it is refused.",
                isOptional: true)
        ],
        options: [
            .hubData,
            Option("group", value: "GROUP", help: "The group to which it is admitted; all of them by default."),
            Option("revoke", help: "Strike the key off for all groups."),
        ],
        details: [
            "A running hub applies the change from the next request on. The keys lie in DIR/admitted-keys, a line for each with its group."
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let folder = try arguments.hubData()
        let keys = AdmittedKeys(hub: folder)
        do {
            guard let text = arguments.operands.first else {
                guard !arguments.has("revoke") else { throw arguments.error("--revoke needs PIN") }
                for (pin, group) in try keys.list() { output.line("\(pin)  \(group)") }
                return
            }
            guard let pin = KeyPin(text) else { throw arguments.error("PIN has 64 hexadecimal digits") }
            guard arguments.has("revoke") else {
                try keys.admit(pin, to: arguments["group"] ?? "*")
                return output.say("the key is admitted")
            }
            output.say(try keys.strikeOff(pin) ? "the key is struck off" : "the key was not admitted")
        } catch { throw SyncedPlace.error(error, folder.path) }
    }
}
