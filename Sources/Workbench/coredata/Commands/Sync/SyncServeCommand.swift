import CoreDataPrinting
import CoreDataSyncHub
import CoreDataSyncHubServer
import CoreDataSyncing
import CoreDataWorkbench
import Dispatch
import Foundation

/// `sync serve`: serves a hub.
struct SyncServeCommand: Command {
    let syntax = CommandSyntax(
        name: ["sync", "serve"],
        summary: "Serves a hub of sync, which stores what devices write, and says at once when something is new.",
        operands: [],
        options: [
            Option(
                "listen", value: "HOST:PORT", help: "The address of this machine to listen on; the port 0 takes any."),
            .hubData,
            Option("quota", value: "BYTES", help: "The most bytes of all items together; 10 GiB by default."),
            Option("plain", help: "Serve plain HTTP without keys, to programs of this machine only."),
            Option(
                "plain-anywhere",
                help: "Serve plain HTTP without keys on any address: all who reach it can read and remove all items."),
        ],
        details: [
            "Prints the address that devices use wherever a folder of sync is meant, and serves until interrupted; GROUP stands for a name "
                + "of lower-case letters, digits and hyphens, such as family.",
            "The hub's key is made in DIR at its first start. The address ends in the key's pin, by which devices know it; the hub in its "
                + "turn serves devices whose keys 'sync admit' admits.",
            "An interrupted hub answers those who wait, takes what is being sent to it, and ends.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        guard let place = arguments["listen"] else { throw arguments.error("--listen HOST:PORT is missing") }
        var settings = HubSettings(folder: try arguments.hubData())
        guard let (host, port) = Self.parts(place) else {
            throw arguments.error("--listen takes an address and a port, such as 0.0.0.0:7443")
        }
        (settings.host, settings.port) = (host, port)
        if arguments.has("quota") { settings.quota = try arguments.number("quota") }
        guard !(arguments.has("plain") && arguments.has("plain-anywhere")) else {
            throw arguments.error("--plain and --plain-anywhere exclude each other")
        }
        if arguments.has("plain") { settings.security = .plainOnLoopback }
        if arguments.has("plain-anywhere") { settings.security = .plainAnywhere }
        let asked = DispatchSemaphore(value: 0)
        let interruption = Interruption { asked.signal() }
        defer { interruption.end() }
        do {
            let hub = try SyncHub(settings)
            output.line(hub.address(of: "GROUP"))
            try output.flush()
            asked.wait()
            // A second signal ends the process.
            interruption.end()
            hub.stop(finishingWithin: .seconds(10))
        } catch { throw SyncedPlace.error(error, settings.folder.path) }
    }

    /// The host, whose brackets an IPv6 address has here alone, and the port.
    private static func parts(_ text: String) -> (String, Int)? {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        let host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        guard !host.isEmpty, isBracketed || !host.contains(":") else { return nil }
        return (String(isBracketed ? host.dropFirst().dropLast() : host), Int(port))
    }
}

extension Option {
    static let hubData = Option("data", value: "DIR", help: "The folder of the hub: its key, admitted keys and items.")
}

extension Arguments {
    /// The folder that `--data` names.
    ///
    /// - Throws: `UsageError` without one.
    func hubData() throws -> URL {
        guard let path = self["data"] else { throw error("--data DIR is missing") }
        return URL(fileURLWithPath: path).standardizedFileURL
    }
}
