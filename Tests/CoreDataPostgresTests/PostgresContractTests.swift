import CoreData
import CoreDataPostgres
import StoreContract
import TestServers
import Testing

/// What every store must do, on a private server.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(20)))
struct PostgresContractTests {
    @Test(
        "a store on a server keeps the contract (STO-06)",
        arguments: StoreContract.checks(for: .postgreSQL, at: { try PostgresServer.shared.get().makeURL($0) }))
    func storeOnServerKeepsContract(check: StoreContract.Check) throws { try check.run() }
}
