import CoreDataPrinting
import CoreDataSyncSealing
import CoreDataSyncing
import CoreDataWorkbench
import Foundation

/// `sync pair`: lets devices take part in a sealed place, lists and revokes them.
struct SyncPairCommand: Command {
    let syntax = CommandSyntax(
        name: ["sync", "pair"],
        summary:
            "Lets another device take part in a sealed folder, lists the devices, or revokes one; also of devices nearby.",
        operands: [.store],
        options: [
            Option("valid", value: "HOURS", help: "For how long the text is good; 24 if it is left out."),
            Option("code", help: "Compare a code of six digits with the other device, instead of passing on a text."),
            Option("devices", help: "Print the devices."),
            Option("revoke", value: "DEVICE", help: "Exclude the device with these 16 digits, or 32 of one nearby."),
            Option(
                "renew", value: "TEXT",
                help:
                    "Take new keys, by a text of another device, after this one was revoked; - reads it from standard input."
            ),
            .device, .folder, .model, .format([.table, .json]),
        ],
        details: [
            "Without an option a text is printed by which one device joins, with 'sync init --pair TEXT'. It is a secret until it was used; "
                + "this device admits the other one when it exchanges.",
            "A revoked device reads nothing that is written later, and what it writes is refused. What it has read it keeps.",
            "Devices nearby are paired by 'sync run', which compares codes. Here --devices prints those that were paired, this one first, with "
                + "the digests of their keys, and --revoke forgets one: it is asked about again when it comes.",
            "json is {\"text\", \"expires\"}, and of --devices an array with a device a line: {\"identifier\", \"label\", \"own\", "
                + "\"revoked\", \"admittedBy\"}; of devices nearby {\"identifier\", \"label\", \"own\", \"keyDigest\"}.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        guard ["code", "devices", "revoke", "renew"].count(where: arguments.has) < 2 else {
            throw arguments.error("--code, --devices, --revoke and --renew exclude each other")
        }
        let hours = try hours(arguments)
        if try NearbyPairings(arguments)?.run(arguments, output) != nil { return }
        let transport = try SealedPlace.transport(of: arguments)
        try SealedPlace.explained(transport.title) {
            if let device = arguments["revoke"] {
                try transport.revoke(device)
                output.say("device \(device) takes part no longer")
            } else if let word = arguments["renew"] {
                let renewed = try transport.renewed(
                    by: try SealedPlace.pairingText(word), label: SealedPlace.label(arguments))
                // Writes the request; until it is answered, listing fails since this device waits.
                do { _ = try renewed.items() } catch let error as SyncError where error.code == .pairing {}
                output.say("asks to be admitted again")
            } else if arguments.has("devices") {
                print(try transport.devices(), arguments, output)
            } else if arguments.has("code") {
                guard try CodeComparison.admit(transport) else { throw CodeComparison.differing }
                output.say("the other device takes part")
            } else {
                print(try transport.invite(validFor: hours * 3_600), arguments, output)
            }
        }
    }

    private func hours(_ arguments: Arguments) throws -> Double {
        guard let text = arguments["valid"] else { return 24 }
        guard let hours = Double(text), hours > 0, hours <= 8_760 else {
            throw arguments.error("--valid takes a number of hours, at most 8760")
        }
        return hours
    }

    private func print(_ text: PairingText, _ arguments: Arguments, _ output: StandardOutput) {
        guard arguments.format == .table else {
            return output.line(
                JSONWriter.line(
                    .object([("text", .string(text.text)), ("expires", .string(ISODate.text(text.expires)))])))
        }
        output.line(text.text)
    }

    private func print(_ devices: [SyncDevice], _ arguments: Arguments, _ output: StandardOutput) {
        if arguments.format == .json { return output.list(devices.map(Self.json)) }
        for device in devices {
            let state = device.isOwn ? "this device" : device.isRevoked ? "revoked" : "device"
            output.line("\(device.identifier)  \(RunLanguage.text(state))  \(PrintableText.escaped(device.label))")
        }
    }

    private static func json(_ device: SyncDevice) -> JSONValue {
        .object([
            ("identifier", .string(device.identifier)), ("label", .string(device.label)), ("own", .bool(device.isOwn)),
            ("revoked", .bool(device.isRevoked)), ("admittedBy", device.admittedBy.map { .string($0) } ?? .null),
        ])
    }
}
