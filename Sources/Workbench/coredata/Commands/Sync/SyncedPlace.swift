import CoreDataExchange
import CoreDataPrinting
import CoreDataSyncPeers
import CoreDataSyncing
import CoreDataWorkbench
import Foundation

/// What the commands of `sync` share: the store with its session, and how they wait for it.
struct SyncedPlace {
    let store: OpenStore
    let session: SyncSession
    let transport: any SyncTransport
    /// The devices nearby, if they are the store's peers and the command exchanges.
    let nearby: PeerGroupTransport?

    /// What a command does with the store.
    enum Purpose {
        /// Merges what peers wrote, which needs the merge functions that the model names.
        case exchanging
        /// Reads the state, and writes single objects at most.
        case inspecting
    }

    /// Opens a store that takes part, or is to with a folder.
    ///
    /// - Throws: `InspectionError`, and `UsageError` if the folder is missing.
    init(_ arguments: Arguments, for purpose: Purpose = .exchanging, folder given: String? = nil) throws {
        if given == nil { try Self.requirePart(arguments) }
        store = try OpenStore(at: arguments.path(0), model: arguments.model, for: .syncing)
        do {
            let kept = try SyncSession.address(of: store.store)
            guard let address = given ?? SealedPlace.address(given: arguments["folder"], kept: kept) else {
                throw SyncError(.notJoined, "The store takes no part in sync yet.", cure: Self.cure)
            }
            var options = SyncOptions()
            options.isReader = arguments.has("reader")
            if arguments.has("on-demand") { options.largeValues = .onDemand }
            options.isForInspection = purpose == .inspecting
            if PeerGroup.isAddress(address) {
                transport = try NearbyPlace.transport(address, of: store, arguments, purpose)
            } else {
                try NearbyPlace.refuseOptions(arguments)
                transport = try SealedPlace.transport(at: address)
            }
            nearby = transport as? PeerGroupTransport
            session = try SyncSession(store.store, over: transport, options: options)
        } catch {
            store.close()
            throw Self.error(error, store)
        }
        store.reportProblems()
    }

    /// Refuses a store that takes no part before it is opened for writing, which would begin its history.
    private static func requirePart(_ arguments: Arguments) throws {
        let store = try OpenStore(at: arguments.path(0), model: arguments.model)
        defer { store.close() }
        guard try !SyncSession.takesPart(store.store) else { return }
        throw error(SyncError(.notJoined, "The store takes no part in sync yet.", cure: cure), store)
    }

    private static let cure = "Run 'coredata sync init STORE --folder FOLDER', or with --peers TYPE."

    /// Carries out what the session does, and closes the store.
    func run<Result: Sendable>(_ body: @escaping @Sendable (SyncSession) async throws -> Result) throws -> Result {
        defer { store.close() }
        let session = session
        do { return try ReadCancellation.waiting { try await body(session) } } catch { throw Self.error(error, store) }
    }

    static func error(_ error: any Error, _ store: OpenStore) -> any Error {
        Self.error(error, store.facts.url.place)
    }

    /// An error of sync as the tool prints those of what it reads.
    static func error(_ error: any Error, _ subject: String) -> any Error {
        guard let error = error as? SyncError else { return error }
        return InspectionError(
            .unreadable, subject: subject, cause: error.description.droppingFullStop,
            hint: error.cure.droppingFullStop)
    }
}

extension Option {
    static let folder = Option(
        "folder", value: "FOLDER|HUB",
        help: "The folder that the peers share, or the address of a hub, instead of the one that the store keeps.")
}
