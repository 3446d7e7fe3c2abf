import CoreDataSQL
import SQLiteKit

extension StoreFile: SaveGrouping {
    package var saveGrouping: (any SaveGrouping)? { self }

    /// Runs a block within one transaction of the file, in which each save is a savepoint.
    ///
    /// If the transaction is rolled back, everything in memory that belongs to it is discarded, too: allocated keys,
    /// numbers of the history, and files of large values.
    package func savingTogether<Result>(_ body: () throws -> Result) throws -> Result {
        let former = (verified, unrecordedIdentifier, store.hasUnsavedMetadata, knownMetadata)
        isGroupingSaves = true
        external.beginGroup()
        var wasCommitted = false
        defer {
            isGroupingSaves = false
            external.finishGroup(wasCommitted: wasCommitted)
            if !wasCommitted {
                (verified, unrecordedIdentifier, store.hasUnsavedMetadata, knownMetadata) = former
                keys.forgetAll()
                historyWriter?.finish(wasCommitted: false, connection)
            }
            verified.dataVersion = connection.dataVersion
        }
        let result = try reporting("be saved") {
            try indexedTransaction {
                try requireSameFile()
                return try body()
            }
        }
        wasCommitted = true
        return result
    }
}
