import CoreDataPrinting
import CoreDataSyncHub
import CoreDataSyncPeers
import CoreDataSyncSealing
import CoreDataSyncing
import CoreDataWorkbench
import Foundation

/// The places of the commands of `sync`: folders and hubs, whose items may be sealed.
enum SealedPlace {
    /// The address to use. A folder that is given instead of the one that the store keeps is sealed as that one.
    static func address(given: String?, kept: String?) -> String? {
        guard let given, let sealed = kept.flatMap({ SealedAddress($0) }) else { return given ?? kept }
        return sealed.moved(to: given).text
    }

    /// The transport of the address of a folder or a hub.
    ///
    /// - Throws: `SyncError` if this device has no keys of the group.
    static func transport(at address: String) throws -> any SyncTransport {
        guard let sealed = SealedAddress(address) else { return try open(address) }
        return try SealedTransport(over: open(sealed.base), group: sealed.group, keys: .standard())
    }

    /// The sealed transport of a store that takes part.
    ///
    /// - Throws: `InspectionError` if it takes no part, or its place is not sealed.
    static func transport(of arguments: Arguments) throws -> SealedTransport {
        let store = try OpenStore(at: arguments.path(0), model: arguments.model)
        defer { store.close() }
        return try explained(store.facts.url.place) {
            let kept = try SyncSession.address(of: store.store)
            guard let text = address(given: arguments["folder"], kept: kept), let sealed = SealedAddress(text) else {
                throw SyncError(
                    .notJoined, "The store takes no part in sync over a sealed folder.",
                    cure: "Run 'coredata sync init STORE --folder FOLDER --sealed'.")
            }
            return try SealedTransport(over: open(sealed.base), group: sealed.group, keys: .standard())
        }
    }

    /// Begins or joins the place of a store that is to take part, and returns its address.
    static func begin(_ arguments: Arguments) throws -> String {
        if let group = try NearbyPlace.group(arguments) { return group.address }
        let text = try explained(arguments.command) { try arguments["pair"].map { try pairingText($0) } }
        guard let given = arguments["folder"] ?? text?.address else {
            throw arguments.error("--folder FOLDER or --peers TYPE is missing")
        }
        let path = HubAddress.isAddress(given) ? given : URL(fileURLWithPath: given).standardizedFileURL.path
        return try explained(path) {
            let (base, label) = (try open(path), label(arguments))
            if let text {
                return try SealedTransport.accept(text, over: base, label: label, keys: .standard()).address ?? path
            }
            if arguments.has("code") { return try CodeComparison.join(base, label: label).address ?? path }
            guard arguments.has("sealed") else { return path }
            guard try arguments.has("found") || base.items().isEmpty else {
                throw SyncError(
                    .pairing, "The folder has items already.",
                    cure: "Join those who use it by --pair or --code, or begin in an empty folder.")
            }
            return try SealedTransport.found(over: base, label: label, keys: .standard()).address ?? path
        }
    }

    /// A pairing text; that of standard input for a hyphen.
    static func pairingText(_ word: String) throws -> PairingText {
        try PairingText(word == "-" ? readLine() ?? "" : word)
    }

    /// What this device is called: by the option, or by the system.
    static func label(_ arguments: Arguments) -> String { arguments["device"] ?? hostName }

    static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "device" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Runs a block whose `SyncError` is printed as an error about a subject.
    static func explained<Result>(_ subject: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw SyncedPlace.error(error, subject) }
    }

    /// The transport of a hub by its address, or of a folder by its path.
    ///
    /// - Throws: `SyncError` if the text is meant as the address of a hub and is none.
    private static func open(_ address: String) throws -> any SyncTransport {
        guard HubAddress.isAddress(address) else { return FolderTransport(URL(fileURLWithPath: address)) }
        return try HubTransport(address)
    }
}

extension Option {
    static let device = Option(
        "device", value: "NAME", help: "What this device is called; the name of the system if it is left out.")
}
