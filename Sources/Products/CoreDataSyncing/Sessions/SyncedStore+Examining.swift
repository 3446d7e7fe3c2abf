import CoreDataGraph
import CoreDataStore
import CoreDataSync

extension SyncedStore {
    /// Runs a block with the engine as the store has it: nothing is captured or applied, and nothing written but where a
    /// migration moved rows to.
    ///
    /// - Throws: `SyncError` with the code `notJoined`, `FormatError` for a damaged state, and what the block throws.
    func examining<Result>(_ body: (StoreTransaction) throws -> Result) throws -> Result {
        try store.changingBelowContexts { source, _ in
            guard let side = source.sideTable else { throw SyncError.unsuitable }
            try MovedRows(side, mapping).follow()
            let storage = StoreStorage(side: side)
            guard let meta = try SyncEngine.storedMeta(storage) else { throw SyncError.notJoined }
            let opening = SyncEngine.Opening(instance: meta.instance, spare: .random())
            let (engine, _) = try SyncEngine.open(try settings.configuration(side), storage, opening, at: clock())
            let finder = RowFinder(store: store, source: source, mapping: mapping)
            return try body(StoreTransaction(finder, side, engine: engine, now: clock()))
        }
    }

    /// Whether the file beside the store fits its state.
    func markFindings() throws -> [SyncFinding] {
        guard let url = mark.url else { return [] }
        return try examining { transaction in
            guard let meta = transaction.engine?.meta else { return [] }
            let message: String
            switch mark.present {
            case nil: message = "The file by which copies of the store are noticed is missing or damaged."
            case let content? where content.instance + (try transaction.side.placeMark()) != meta.instance:
                message = "The store was copied or moved."
            case let content?
            where content.identity == meta.identity
                && content.highWater ?? 0 > meta.applied[meta.identity]:
                message = "The store was put back from an older copy."
            default: return []
            }
            return [
                SyncFinding(
                    .instanceMark, url.path, message,
                    cure: "Exchange: the store goes on as another peer, and what others have is merged into it.")
            ]
        }
    }
}
