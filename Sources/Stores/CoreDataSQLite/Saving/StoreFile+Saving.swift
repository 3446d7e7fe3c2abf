import CoreDataSQL
import SQLiteKit

extension StoreFile: RowSaving {
    package func save(_ plan: SavePlan) throws -> SaveOutcome {
        if plan.isEmpty, !store.hasUnsavedMetadata { return .saved(SaveReceipt()) }
        derivedChanges = DerivedChanges()
        var wasCommitted = false
        var transaction: Int64?
        defer {
            external.finish(wasCommitted: wasCommitted)
            keys.finish(wasCommitted: wasCommitted)
            derivedChanges = nil
            historyWriter?.finish(wasCommitted: wasCommitted, connection)
        }
        do {
            try reporting("be saved") {
                try writing {
                    try requireSameFile()
                    try keys.claim(plan.keys, connection)
                    var writer = SQLitePlanWriter(file: self)
                    try writer.write(plan)
                    try recordIdentifier()
                    try recordMetadata()
                    transaction = try historyWriter?.record(by: plan.source, connection)
                }
            }
            wasCommitted = true
            noteCommit(transaction)
            finishMetadata()
            reportLongUses()
            return .saved(SaveReceipt(derived: derivedChanges ?? DerivedChanges(), transaction: transaction))
        } catch let refusal as SaveRefusal {
            return refusal.outcome
        }
    }

    package func checkOutKeys(_ demand: KeyDemand) throws -> KeyGrant {
        try reporting("give out keys") { try keys.checkOut(demand, connection) }
    }

    package func checkInKeys(_ grant: KeyGrant) { keys.checkIn(grant) }

    package func reserveKeys(_ demand: KeyDemand) throws -> KeyGrant {
        var wasCommitted = false
        defer { keys.finish(wasCommitted: wasCommitted) }
        let grant = try reporting("give out keys") {
            try writing { try keys.reserve(demand, connection) }
        }
        wasCommitted = true
        return grant
    }
}

extension StoreFile: WriteHolding {
    package var writeHolding: (any WriteHolding)? { self }

    /// If the file is read-only, all reads see the state of the first one; otherwise other writers wait until `body`
    /// returns.
    package func holdingWrites<Result>(_ body: () throws -> Result) throws -> Result {
        try reporting("be read") { try connection.transaction(isReadOnly ? .deferred : .immediate, body) }
    }
}

extension StoreFile: ObjectStore {}
